using System;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>Starts the children of an engine. Immutable, so that any number of threads may start children.</summary>
/// <param name="spawner">The spawner of this process.</param>
/// <param name="lowDescriptors">The low descriptors of the engine.</param>
/// <param name="inheritsLimit">
/// Whether the children inherit this process's limit of descriptors, although the runtime has raised it.
/// </param>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxStarter(Spawner spawner, LowDescriptorPool lowDescriptors, bool inheritsLimit)
{
    /// <summary>Starts a child on the calling thread.</summary>
    /// <param name="order">The description of the child.</param>
    /// <param name="inherited">The environment that the child inherits; null for none.</param>
    /// <param name="mark">The mark that the child's descendants carry.</param>
    /// <param name="roll">The descriptor that the child keeps open until its exec; -1 for none.</param>
    /// <param name="progress">Receives the progress of the start.</param>
    /// <exception cref="LaunchException">The child could not be started; nothing of it is left.</exception>
    public StartedProcess Run(
        LaunchOrder order, LinuxEnvironment? inherited, ChildMark mark, int roll, IStartProgress progress)
    {
        try
        {
            return RunOnce(order, inherited, mark, roll, progress);
        }
        catch (LaunchException exception)
            when (exception is { Step: LaunchStep.OutOfDescriptors, NativeErrorCode: Errno.EMFILE }
                && lowDescriptors.GiveUp())
        {
            // The descriptors that were reserved for starts are free now.
            return RunOnce(order, inherited, mark, roll, progress);
        }
    }

    private StartedProcess RunOnce(
        LaunchOrder order, LinuxEnvironment? inherited, ChildMark mark, int roll, IStartProgress progress)
    {
        ILaunchPlan plan = order.Plan;
        LaunchGroup group = ControllingTerminal.GroupOf(plan);
        ProgramPath program = new(plan);
        using SpawnSettings? settings = SpawnSettings.For(plan.Settings);
        NativeStrings environment = LinuxEnvironment.Compose(inherited, plan, mark, order.Slot);
        StandardDescriptors standard = default;
        try
        {
            standard.Open(plan, spawner.NullDevice, lowDescriptors);
            SpawnRequest request = new()
            {
                Program = plan,
                File = program.File,
                Environment = environment.ToArray(),
                InheritsLimit = inheritsLimit,
                Group = group,
                Settings = settings,
                Progress = progress,
                Kept = roll,
                LeavesPlace = standard.HasTheirs,
                Streams = standard.Streams,
                Channels = standard.Channels,
            };
            StartedProcess started = default;
            started.LeadsGroup = group is not (LaunchGroup.Inherit or LaunchGroup.Joined);
            started.ProcessId = Spawn(in request, ref program, out started.PidFd);
            standard.CloseTheirs();
            if (!started.PidFd.IsOpen)
            {
                started.PidFd = PidFd.OpenOrKill(started.ProcessId);
            }

            standard.TakeOurs(out started.Input, out started.Output, out started.Error);
            started.Channels = standard.TakeChannels();
            return started;
        }
        catch (Win32Exception exception) when (exception is not LaunchException)
        {
            throw program.Explain(exception);
        }
        finally
        {
            standard.Close();
            environment.Dispose();
            GC.KeepAlive(inherited);
        }
    }

    // Each file of the program's name gets a child of its own.
    private int Spawn(scoped in SpawnRequest request, ref ProgramPath program, out OwnedDescriptor pidfd)
    {
        SpawnRequest attempt = request;
        while (true)
        {
            try
            {
                return spawner.Spawn(in attempt, out pidfd);
            }
            catch (Win32Exception exception) when (program.TryPassOver(exception))
            {
                attempt = attempt with { File = program.File };
            }
        }
    }
}
