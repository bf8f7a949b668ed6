using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Children with a pidfd each, spread evenly over the reactors. The fields never change after construction but for the
/// counters, so every member is safe from any thread.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxBackend : ProcessBackend
{
    private readonly Spawner _spawner;
    private readonly NearDescriptors _near;
    private readonly EpollReactor[] _reactors;
    private readonly StartWatchdog _watchdog;
    private readonly LinuxFamily _family;
    private readonly LinuxEnvironment? _environment;
    private readonly bool _inheritsLimit;
    private uint _starts;
    private uint _timers;

    private LinuxBackend(ProcessEngineOptions options)
    {
        if (RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.Arm64) || !PidFd.IsSupported)
        {
            throw new PlatformNotSupportedException(
                "ProcessRunner needs Linux 5.4 or later (pidfd_open and waitid with P_PIDFD) on x64 or arm64; this is "
                + $"{RuntimeInformation.OSDescription} on {RuntimeInformation.ProcessArchitecture}. "
                + "A container's seccomp profile can hide these calls, too.");
        }

        _spawner = Spawner.Shared;
        _inheritsLimit = options.InheritDescriptorLimit;
        _near = new NearDescriptors(_spawner.NullDevice);
        _reactors = new EpollReactor[options.ReactorCount];
        _watchdog = new StartWatchdog(_reactors);
        int started = 0;
        try
        {
            for (; started < options.ReactorCount; started++)
            {
                _reactors[started] = new EpollReactor(started);
            }

            _environment = options.TakeEnvironmentOnce ? LinuxEnvironment.Take() : null;
            _family = new LinuxFamily(AddLiveChildren, _spawner, options.KillChildrenOnExit);
        }
        catch
        {
            DisposeReactors(started);
            throw;
        }
    }

    /// <summary>Sees to the descendants of the children.</summary>
    public LinuxFamily Family => _family;

    public override int ThreadCount =>
        _reactors.Sum(reactor => reactor.ThreadCount) + (_watchdog.IsRunning ? 1 : 0) + 1;

    public override int LiveChildren => _reactors.Sum(reactor => reactor.Count);

    /// <exception cref="ProcessStartException">There is no descriptor or no thread to be had, or no guardian.</exception>
    /// <exception cref="PlatformNotSupportedException">Older than Linux 5.4, or neither x64 nor arm64.</exception>
    public static LinuxBackend Open(ProcessEngineOptions options, ProcessCommand first)
    {
        try
        {
            return new LinuxBackend(options);
        }
        catch (Win32Exception exception) when (exception is not ProcessStartException)
        {
            throw StartDiagnosis.Explain(first, first.FileName, exception);
        }
        catch (OutOfMemoryException)
        {
            throw StartDiagnosis.OutOfResources(first);
        }
    }

    private EpollReactor? OwnReactor =>
        ReactorThread.Current?.Reactor is EpollReactor current && Array.IndexOf(_reactors, current) >= 0 ? current : null;

    private IEnumerable<LinuxChild> Children => _reactors.SelectMany(reactor => reactor.Children());

    public override long AvailableMemory => SystemLimits.AvailableMemory();

    public override BackendChild Create(ProcessCommand command, InheritedEnvironment? inherited, SlotVariable slot) =>
        new LinuxChild(this, new LaunchOrder(command, (LinuxEnvironment?)inherited, slot))
        {
            Number = Interlocked.Increment(ref _starts),
            IsMarked = command.Descendants != DescendantPolicy.Leave || _family.MarksAll,
            Reactor = ChooseReactor(),
        };

    /// <summary>Starts a child on the calling thread.</summary>
    /// <param name="order">What to start.</param>
    /// <param name="mark">What its descendants are to carry.</param>
    /// <param name="progress">Is told how far the start has come.</param>
    /// <exception cref="ProcessStartException">The child could not be started; nothing of it is left.</exception>
    public StartedProcess Spawn(LaunchOrder order, ChildMark mark, IStartProgress progress)
    {
        try
        {
            return SpawnOnce(order, mark, progress);
        }
        catch (ProcessStartException exception) when (exception.NativeErrorCode == Errno.EMFILE && _near.GiveUp())
        {
            // What was kept back for starts is free now.
            return SpawnOnce(order, mark, progress);
        }
    }

    private StartedProcess SpawnOnce(LaunchOrder order, ChildMark mark, IStartProgress progress)
    {
        ProcessCommand command = order.Command;
        LinuxEnvironment? taken =
            command.InheritEnvironment ? order.Inherited ?? (LinuxEnvironment)TakeEnvironment() : null;
        ProcessGroupMode group = ControllingTerminal.GroupModeOf(command);
        ProgramPath program = new(command);
        NativeStrings environment = LinuxEnvironment.Compose(taken, command, mark, order.Slot);
        StandardDescriptors standard = default;
        ReactorThread? reactorThread = _watchdog.OnStart();
        try
        {
            standard.Open(command, _spawner.NullDevice, _near);
            StartedProcess started = default;
            started.LeadsGroup = group != ProcessGroupMode.Inherit;
            byte** variables = environment.ToArray();
            do
            {
                try
                {
                    started.ProcessId = _spawner.Spawn(
                        command,
                        group,
                        program.File,
                        variables,
                        _inheritsLimit,
                        standard.Streams,
                        _family.RollDescriptor,
                        progress,
                        out started.PidFd);
                }
                catch (Win32Exception exception) when (program.TryPassOver(exception))
                {
                }
            }
            while (started.ProcessId == 0);

            // Theirs go before a pidfd is opened, which so never lacks a free number.
            standard.CloseTheirs();
            PidFd.OpenOrKill(started.ProcessId, ref started.PidFd);
            standard.TakeOurs(out started.Input, out started.Output, out started.Error);
            return started;
        }
        catch (Win32Exception exception) when (exception is not ProcessStartException)
        {
            throw program.Explain(exception);
        }
        finally
        {
            reactorThread?.EndStart();
            standard.Close();
            environment.Dispose();
            GC.KeepAlive(taken);
        }
    }

    public override InheritedEnvironment TakeEnvironment() => _environment ?? LinuxEnvironment.Take();

    public override BackendTimer CreateTimer(Action<long> expired) =>
        new ReactorTimer(_reactors[Interlocked.Increment(ref _timers) % (uint)_reactors.Length], expired);

    public override void DoWhenIdle(Action action)
    {
        if (OwnReactor is EpollReactor reactor)
        {
            reactor.DoWhenIdle(action);
        }
        else
        {
            action();
        }
    }

    public override int EstimateRoom() => SystemLimits.EstimateRoom();

    public override JobTokens? OpenJobserver() => Jobserver.Open();

    public override PipeConnection Connect(ProcessCommand writer)
    {
        try
        {
            return new LinuxPipeConnection();
        }
        catch (Win32Exception exception)
        {
            throw StartDiagnosis.Explain(writer, writer.FileName, exception);
        }
    }

    public override TemporaryFile CreateTemporaryFile() => new LinuxTemporaryFile();

    public override ProcessStartException OutOfResources(ProcessCommand command) => StartDiagnosis.OutOfResources(command);

    public override IReadOnlyList<IChildEvents> Watched() => [.. Children.Select(child => child.Events)];

    public override void Guard() => _family.Guard(Children);

    public override void EndGuard() => _family.EndGuard();

    public override void NoteHangUps() => HangUp.Note();

    public override bool TakeHangUp() => HangUp.Take();

    public override void HangUpUnlessHandled() => HangUp.EndUnlessHandled();

    public override void CloseForStarts()
    {
        foreach (EpollReactor reactor in _reactors)
        {
            reactor.CloseForStarts();
        }
    }

    public override void Dispose()
    {
        _watchdog.Dispose();
        DisposeReactors(_reactors.Length);
        _near.Dispose();
        _family.Dispose();
    }

    // The one whose thread this is, so that start and drain happen on the same thread, unless another has clearly less to do.
    private EpollReactor ChooseReactor()
    {
        EpollReactor? own = OwnReactor;
        EpollReactor chosen = own ?? _reactors[0];
        foreach (EpollReactor reactor in _reactors)
        {
            if (reactor.Load + (own is null ? 0 : 1) < chosen.Load)
            {
                chosen = reactor;
                own = null;
            }
        }

        return chosen;
    }

    private void AddLiveChildren(HashSet<int> processIds) => processIds.UnionWith(Children.Select(child => child.ProcessId));

    private void DisposeReactors(int count)
    {
        foreach (EpollReactor reactor in _reactors.AsSpan(0, count))
        {
            reactor.Dispose();
        }
    }
}
