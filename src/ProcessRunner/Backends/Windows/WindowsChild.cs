using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Represents a child on Windows: its process, its job, and this process's ends of its pipes, all guarded by the
/// child's gate. It owns the handles from its start to its release. Its reactor's thread handles the packets.
/// </summary>
/// <remarks>
/// The job is created before the process. So it holds the child from its first instruction, and all its descendants,
/// except those that have left it in the way that Windows allows (CREATE_BREAKAWAY_FROM_JOB).
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe partial class WindowsChild : ReactorChild<CompletionReactor>
{
    // The code of a process that has been killed: that of Process.Kill.
    private const uint KilledCode = uint.MaxValue;

    private const PosixSignal SIGKILL = (PosixSignal)9;

    private readonly WindowsBackend _backend;
    private readonly bool _killsOnParentExit;
    private LaunchOrder? _order;
    private JobObject? _job;
    private OwnedHandle _process;
    private ExitWait _wait;
    private InputPipe _input;
    private OutputPipe _output;
    private OutputPipe _error;
    private WindowsChannels? _channels;
    private TransferBlock* _block;
    private bool _isSurveyDue;
    private bool _isKillDue;
    private bool _isExemptFromExitKill;

    /// <summary>Creates a child that has not been started.</summary>
    public WindowsChild(WindowsBackend backend, CompletionReactor reactor, LaunchOrder order)
        : base(reactor)
    {
        _backend = backend;
        _order = order;
        _killsOnParentExit = order.Plan.Settings is { KillsOnParentExit: true };
    }

    public override bool HasExited => IsExitKnown || (_process.IsOpen && !IsRunning);

    public override bool HasUnreadOutput => _output.HasUnread || _error.HasUnread || _channels?.HaveUnread == true;

    public override void Start()
    {
        LaunchOrder order = _order!.Value with
        {
            ConsoleChoice = ConsoleChoice.For(_order.Value.Plan, OwnConsole.Exists()),
        };
        JobObject job = _backend.CreateJob(order);
        using (Uninterruptible.Lock(Gate))
        {
            _job = job;
            ApplyGuard();
        }

        try
        {
            Adopt(_backend.Spawn(order, job));
        }
        catch
        {
            using (Uninterruptible.Lock(Gate))
            {
                _job = null;
            }

            job.Dispose();
            throw;
        }
    }

    public override void Begin()
    {
        AssertGate();
        _block = Reactor.CreateBlock(Token);
        _input.Associate(Reactor);
        _output.Associate(Reactor);
        _error.Associate(Reactor);
        if (_channels is not null)
        {
            CompletionReactor.CreateChannels(_block);
            _channels.Associate(Reactor);
        }

        // The output of a child that has exited can be with its receivers from here on, so that a shortage is an event
        // of the run.
        HandleInGate(this, static child => child.ObserveExit());
        if (IsReleased)
        {
            return;
        }

        if (!IsExitKnown)
        {
            _wait.Begin(_process.Value, _block);
        }

        ResumeInput();
        ResumeOutputs();
    }

    // The reactor serves the child in any case.
    public override void Serve()
    {
    }

    public override void ResumeInput()
    {
        if (_block is not null)
        {
            LookLaterUnless(_input.TryWrite(InputFeed, Reactor, _block));
        }
    }

    public override void ResumeOutput(ChildOutput stream)
    {
        if (_block is not null)
        {
            LookLaterUnless(stream switch
            {
                ChildOutput.Output => _output.TryWatch(Reactor, &_block->Output),
                ChildOutput.Error => _error.TryWatch(Reactor, &_block->Error),
                _ => _channels!.Of((int)stream).TryWatch(Reactor, &_block->Channels[(int)stream]),
            });
        }
    }

    public override int Read(ChildOutput stream, Span<byte> room, out bool hasEnded)
    {
        int count = 0;
        hasEnded = !IsOpen(stream);
        if (!hasEnded)
        {
            count = Pipe(stream).Read(room, out hasEnded);
            if (count > 0)
            {
                Events.OnOutput();
            }
        }

        return count;
    }

    // The answer must not come inside the question.
    public override void Survey()
    {
        _isSurveyDue = true;
        LookNow();
    }

    public override bool RequestStop(PosixSignal signal)
    {
        if (signal == SIGKILL)
        {
            Kill();
            return true;
        }

        return AskByBreak(BreakPatience);
    }

    public override bool CloseWindows(PosixSignal signal) =>
        _process.IsOpen && _job is JobObject job && TopLevelWindows.TryClose(job);

    // Every descendant that can be found is in the job.
    public override bool RequestStop(Descendant descendant, PosixSignal signal) => false;

    // A process that dies in the middle of CreateProcess would make that fail, with an error that tells nothing. A stop
    // that comes during the start is repeated after it.
    public override void Kill()
    {
        if (_process.IsOpen && _job is JobObject job)
        {
            _isKillDue = !job.TryTerminate(KilledCode);
            LookLaterUnless(!_isKillDue);
        }
    }

    public override void Kill(Descendant descendant)
    {
    }

    public override void Interrupt() => AskByBreak(BreakPatience);

    public override SignalDelivery TrySignal(PosixSignal signal) => signal switch
    {
        SIGKILL => Delivery(_process.IsOpen && Kernel32.TerminateProcess(_process.Value, KilledCode)),
        PosixSignal.SIGTERM or PosixSignal.SIGINT or PosixSignal.SIGQUIT or PosixSignal.SIGHUP
            => Delivery(AskByBreak(_loadedBy)),
        _ => SignalDelivery.Unsupported,
    };

    public override void ExemptFromExitKill()
    {
        _isExemptFromExitKill = true;
        ApplyGuard();
    }

    public override bool DrainOutput()
    {
        AssertGate();
        _output.Drain(OutputSink);
        _error.Drain(ErrorSink);
        bool haveEnded = !_output.IsOpen && !_error.IsOpen;
        foreach (int number in Channels)
        {
            _channels!.Of(number).Drain(ChannelSink(number));
            haveEnded &= !_channels.Of(number).IsOpen;
        }

        return haveEnded;
    }

    public override bool IsOpen(ChildOutput stream) => IsPipe(stream) && Pipe(stream).IsOpen;

    public override void StopReading(ChildOutput stream)
    {
        if (IsPipe(stream))
        {
            Pipe(stream).Close();
        }
    }

    /// <summary>
    /// Applies the current answer to whether the child is killed when this process ends. Requires the gate.
    /// </summary>
    public void ApplyGuard()
    {
        AssertGate();
        _job?.TrySetKillOnClose((_backend.KillsOnEnd || _killsOnParentExit) && !_isExemptFromExitKill);
    }

    protected override void CloseInput(InputFeed? feed) => _input.Close(feed, _block);

    protected override ResourceUse Close()
    {
        _output.Close();
        _error.Close();
        _channels?.Close();
        _wait.End();
        ResourceUse use = Use();
        _process.Close();
        ReleaseJob();
        if (_block is not null)
        {
            Reactor.RemoveReference(_block);
            _block = null;
        }

        return use;
    }

    private static SignalDelivery Delivery(bool isSent) => isSent ? SignalDelivery.Sent : SignalDelivery.Gone;

    private void Adopt(StartedProcess started)
    {
        using (Uninterruptible.Lock(Gate))
        {
            ProcessId = started.ProcessId;
            _leadsGroup = started.LeadsGroup;
            _hasOwnConsole = started.HasOwnConsole;
            _loadedBy = BreakPatience;
            _process = started.Process;
            _input = new InputPipe(started.Input, EventToken.With(Token, EventPart.Input));
            _output = new OutputPipe(started.Output, EventToken.With(Token, EventPart.Output));
            _error = new OutputPipe(started.Error, EventToken.With(Token, EventPart.Error));
            _channels = started.Channels;
            _channels?.SetToken(Token);
            _order = null;
        }
    }

    private bool IsRunning => Kernel32.WaitForSingleObject(_process.Value, 0) != Kernel32.WAIT_OBJECT_0;

    private ResourceUse Use()
    {
        if (!_process.IsOpen || _job is null)
        {
            return default;
        }

        _job.TryGetTimes(out TimeSpan user, out TimeSpan kernel);
        Kernel32.PROCESS_MEMORY_COUNTERS memory = new() { cb = (uint)sizeof(Kernel32.PROCESS_MEMORY_COUNTERS) };
        Kernel32.GetProcessMemoryInfo(_process.Value, &memory, memory.cb);
        return new ResourceUse(user, kernel, (long)memory.PeakWorkingSetSize);
    }

    // Descendants may live on until this process ends, or beyond that.
    private void ReleaseJob()
    {
        if (_job is JobObject job)
        {
            _job = null;
            job.IsSpared = !_backend.KillsOnExit || _isExemptFromExitKill;
            if (!job.TryClose())
            {
                _backend.Keep(job);
            }
        }
    }

    private ReadOnlySpan<int> Channels => _channels is null ? default : _channels.Numbers;

    private void ResumeOutputs()
    {
        ResumeOutput(ChildOutput.Output);
        ResumeOutput(ChildOutput.Error);
        foreach (int number in Channels)
        {
            ResumeOutput((ChildOutput)number);
        }
    }

    private bool IsPipe(ChildOutput stream) =>
        stream <= ChildOutput.Error || _channels?.Has((int)stream) == true;

    private ref OutputPipe Pipe(ChildOutput stream)
    {
        if (stream == ChildOutput.Output)
        {
            return ref _output;
        }

        if (stream == ChildOutput.Error)
        {
            return ref _error;
        }

        return ref _channels!.Of((int)stream);
    }
}
