using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Represents the Linux backend, which spreads the children evenly over its reactors. Except for the counters, the
/// fields never change after construction, so every member is thread-safe.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxBackend : ProcessBackend
{
    private const LaunchFeatures FeaturesOfPosixSpawn =
        LaunchFeatures.ArgumentZero | LaunchFeatures.ProcessGroupId | LaunchFeatures.KillOnParentExit;

    private const LaunchFeatures EveryFeature =
        FeaturesOfPosixSpawn
        | LaunchFeatures.Nice
        | LaunchFeatures.Priority
        | LaunchFeatures.Processors
        | LaunchFeatures.Limits
        | LaunchFeatures.UnixLimits
        | LaunchFeatures.FileModeMask
        | LaunchFeatures.Identity;

    private readonly LinuxStarter _starter;
    private readonly LowDescriptorPool _lowDescriptors;
    private readonly ReactorGroup _reactors;
    private readonly LinuxFamily _family;
    private readonly LinuxEnvironment? _environment;
    private uint _starts;

    private LinuxBackend(BackendOptions options)
    {
        if (!IsSupported)
        {
            throw new PlatformNotSupportedException(
                "ProcessRunner needs Linux 5.4 or later (pidfd_open and waitid with P_PIDFD) on x64 or arm64; this is "
                + $"{RuntimeInformation.OSDescription} on {RuntimeInformation.ProcessArchitecture}. "
                + "A container's seccomp profile can hide these calls, too.");
        }

        Spawner spawner = Spawner.Shared;
        _lowDescriptors = new LowDescriptorPool(spawner.NullDevice);
        _starter = new LinuxStarter(spawner, _lowDescriptors, options.InheritsDescriptorLimit);
        _reactors = new ReactorGroup(options.ReactorCount, static index => new EpollReactor(index));
        try
        {
            _environment = options.TakesEnvironmentOnce ? LinuxEnvironment.Take() : null;
            _family = new LinuxFamily(AddLiveChildren, spawner, _lowDescriptors, options.KillsChildrenOnExit);
            HostGuard = new LinuxHostGuard(_family, _reactors);
        }
        catch
        {
            _reactors.Dispose();
            throw;
        }
    }

    /// <summary>Gets whether the kernel and the processor are supported.</summary>
    public static bool IsSupported =>
        RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64 && PidFd.IsSupported;

    public override BackendCapabilities Capabilities => new()
    {
        BindsFiles = true,
        ConnectsChildren = true,
        ChoosesGroups = true,
        FindsDescendants = true,
        PassesHandles = true,
        PassesBytes = true,
        StartsOnTimers = true,
    };

    // While a shortage leaves the verdict open, a start that needs the clone is short of a resource as well.
    public override LaunchFeatures Features =>
        CloneSelfTest.Verdict == CloneVerdict.Failed ? FeaturesOfPosixSpawn : EveryFeature;

    /// <summary>Gets the family, which manages the descendants of the children.</summary>
    public LinuxFamily Family => _family;

    public override int ThreadCount => _reactors.ThreadCount + 1;

    /// <exception cref="LaunchException">
    /// No descriptor or no thread is available, or the guardian cannot be started.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The kernel is older than Linux 5.4, or the processor is neither x64 nor arm64.
    /// </exception>
    public static LinuxBackend Open(BackendOptions options)
    {
        try
        {
            return new LinuxBackend(options);
        }
        catch (Win32Exception exception) when (exception is not LaunchException)
        {
            throw StartDiagnosis.Explain(exception);
        }
        catch (OutOfMemoryException)
        {
            throw StartDiagnosis.OutOfResources();
        }
    }

    private IEnumerable<LinuxChild> Children => _reactors.Children.Cast<LinuxChild>();

    public override long AvailableMemory => SystemLimits.AvailableMemory();

    public override BackendChild Create(ILaunchPlan plan, InheritedEnvironment? inherited, SlotVariable slot) =>
        new LinuxChild(
            this, (EpollReactor)_reactors.Choose(), new LaunchOrder(plan, (LinuxEnvironment?)inherited, slot))
        {
            Number = Interlocked.Increment(ref _starts),
            IsMarked = plan.FindsDescendants || _family.MarksAll || plan.Settings is { KillsOnParentExit: true },
        };

    /// <inheritdoc cref="StartWatchdog.OnStart"/>
    public ReactorThread? OnStart() => _reactors.OnStart();

    /// <summary>Starts a child on the calling thread.</summary>
    /// <param name="order">The description of the child.</param>
    /// <param name="mark">The mark that the child's descendants carry.</param>
    /// <param name="progress">Receives the progress of the start.</param>
    /// <exception cref="LaunchException">The child could not be started; nothing of it is left.</exception>
    public StartedProcess Spawn(LaunchOrder order, ChildMark mark, IStartProgress progress)
    {
        LinuxEnvironment? taken =
            order.Plan.InheritEnvironment ? order.Inherited ?? (LinuxEnvironment)TakeEnvironment() : null;
        return _starter.Run(order, taken, mark, _family.RollFor(order.Plan), progress);
    }

    public override InheritedEnvironment TakeEnvironment() => _environment ?? LinuxEnvironment.Take();

    public override BackendTimer CreateTimer(Action<long> expired) => _reactors.CreateTimer(expired);

    public override void DoWhenIdle(Action action) => _reactors.DoWhenIdle(action);

    public override bool HoldsUpOthers(long now) => ReactorThread.HoldsUpOthers(now);

    public override int EstimateRoom() => SystemLimits.EstimateRoom();

    public override JobTokens? OpenJobTokens() => Jobserver.Open();

    public override PipeConnection CreateConnection() => new LinuxPipeConnection();

    public override TemporaryFile CreateTemporaryFile() => new LinuxTemporaryFile();

    public override LaunchException OutOfResources() => StartDiagnosis.OutOfResources();

    public override HostGuard? HostGuard { get; }

    public override HangUpWatch? HangUps { get; } = new LinuxHangUpWatch();

    public override void Dispose()
    {
        _reactors.Dispose();
        _lowDescriptors.Dispose();
        _family.Dispose();
    }

    private void AddLiveChildren(HashSet<int> processIds) =>
        processIds.UnionWith(Children.Select(child => child.ProcessId));
}
