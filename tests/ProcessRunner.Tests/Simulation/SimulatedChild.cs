using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents a child of the simulated backend. Does what a backend must do by the contract, in any order that the
/// contract allows, and checks that it is called as the contract says.
/// </summary>
internal sealed partial class SimulatedChild : BackendChild
{
    private const int LongestWrite = 1000;

    private readonly World _world;
    private readonly SimulatedBackend _backend;
    private readonly ILaunchPlan _plan;
    private readonly Happening _deadline;
    private readonly Happening _exit;
    private readonly Happening _write;
    private readonly Happening _answer;
    private IChildEvents? _events;
    private ChildStreams? _streams;
    private SimulatedStream? _output;
    private SimulatedStream? _error;
    private SimulatedPipe? _input;
    private bool _isInputWatched;
    private bool _isStarting;
    private bool _isKilledInStart;
    private bool _isAnswering;
    private bool _mayAnswerInParts;

    public SimulatedChild(World world, SimulatedBackend backend, ILaunchPlan plan, Script script, int slot)
    {
        _world = world;
        _backend = backend;
        _plan = plan;
        Script = script;
        Slot = slot;
        _deadline = new Happening(this, "deadline", () => OnReady(OnDeadline), isOnReactor: true);
        _exit = new Happening(this, "exit is seen", () => OnReady(ObserveExit), isOnReactor: true);
        _write = new Happening(this, "input is writable", () => OnReady(Write), isOnReactor: true);
        _answer = new Happening(this, "survey answers", () => OnReady(Answer));
    }

    public Script Script { get; }

    /// <summary>Gets the number that a batch gave the child.</summary>
    public int Slot { get; }

    /// <summary>Gets the child and its descendants, alive or not; empty before the start.</summary>
    public List<SimulatedProcess> Family { get; } = [];

    /// <summary>Gets the process of the child itself, or null before the start.</summary>
    public SimulatedProcess? Leader => Family.Count > 0 ? Family[0] : null;

    /// <summary>Gets the pipe of standard output, or null.</summary>
    public SimulatedPipe? OutputPipe => _output?.Pipe;

    /// <summary>Gets the pipe of standard error, or null.</summary>
    public SimulatedPipe? ErrorPipe => _error?.Pipe;

    /// <summary>Gets the number of attempts to start so far.</summary>
    public int Attempts { get; private set; }

    /// <summary>Gets the instant of the first attempt to start, or never.</summary>
    public long BeganAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets the instant at which the child began, or never.</summary>
    public long StartedAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets whether the exit has been reported.</summary>
    public bool IsExitTold { get; private set; }

    /// <summary>Gets the status that has been reported.</summary>
    public ExitStatus ToldStatus { get; private set; }

    /// <summary>Gets how many bytes both pipes had taken when the exit was reported.</summary>
    public long WrittenAtExit { get; private set; }

    /// <summary>Gets whether the child has been asked to end, or killed.</summary>
    public bool IsStopped { get; private set; }

    public bool IsReleased { get; private set; }

    /// <summary>Gets whether the child waits for its start to be over.</summary>
    public bool IsStarting => _isStarting;

    /// <summary>Gets whether the input is still open on our side.</summary>
    public bool IsInputOpen => _input is not null;

    // It reports its exit at once.
    public override bool HasExited => false;

    public override bool HasUnreadOutput
    {
        get
        {
            RequireGate();
            return _output is { HasUnread: true } || _error is { HasUnread: true };
        }
    }

    public override void Watch(IChildEvents events, ChildStreams streams)
    {
        RequireGate();
        _events = events;
        _streams = streams;
        _backend.Register(this);
    }

    public override void Start()
    {
        World.Require(!Monitor.IsEntered(this), "A start holds no gate.");
        bool mayStart = !IsReleased && !_isStarting && Leader is null;
        World.Require(mayStart, "A child is started once at a time, until it exists.");
        StartAttempt attempt = Script.NextStart();
        Attempts++;
        BeganAt = Math.Min(BeganAt, _world.Now);
        _isStarting = true;
        if (attempt.Takes > 0 && _world.MayWait)
        {
            bool hangs = attempt.Takes == MonotonicClock.Never;
            _world.Wait(hangs ? MonotonicClock.Never : _world.Now + attempt.Takes, () => _isKilledInStart);
        }
        else
        {
            _world.Interleave(2);
        }

        if (attempt.Failure is LaunchStep step && !_isKilledInStart)
        {
            _isStarting = false;
            throw new LaunchException(11, step, "simulated");
        }

        Create();

        // The program runs, and its starter does not know its id yet.
        _world.Interleave(4);
        lock (this)
        {
            _isStarting = false;
            ProcessId = Leader!.Id;
        }
    }

    public override void Begin()
    {
        RequireGate();
        World.Require(Leader is not null && !_isStarting && !IsReleased, "A child begins once it exists.");
        StartedAt = _world.Now;
        Leader!.Died = () => _world.Arm(_exit, _world.Now);
        if (!Leader.IsAlive)
        {
            TellExit();
        }

        if (!IsReleased)
        {
            Write();
            _output?.Watch();
            _error?.Watch();
        }
    }

    public override void Serve()
    {
        World.Require(!Monitor.IsEntered(this), "A thread that waits holds no gate.");
        _world.Wait(MonotonicClock.Never, () => IsReleased);
    }

    public override void SetDeadline(long instant)
    {
        RequireGate();
        if (!IsReleased)
        {
            _world.Arm(_deadline, instant);
        }
    }

    public override void Survey()
    {
        RequireUse();
        World.Require(_answer.Index < 0, "One survey at a time.");
        _mayAnswerInParts = _world.Dice.Percent(20);
        _world.Arm(_answer, _world.Now + (_world.Dice.Percent(30) ? _world.Dice.Ticks() / 20 : 0));
    }

    public override bool RequestStop(PosixSignal signal) => TryReach(process => process.Signal(signal));

    public override bool RequestStop(Descendant descendant, PosixSignal signal) =>
        TryReach(descendant, process => process.Signal(signal));

    public override void Kill()
    {
        // A child in its start exists only for a part of it.
        _isKilledInStart |= _isStarting && Leader is null && _world.Dice.Percent(60);
        TryReach(process => process.Kill());
    }

    public override void Kill(Descendant descendant) => TryReach(descendant, process => process.Kill());

    public override void Interrupt()
    {
        RequireUse();
        Reach(process => process.Signal(PosixSignal.SIGINT));
    }

    public override SignalDelivery TrySignal(PosixSignal signal)
    {
        RequireUse();
        if (Leader is null || _isStarting)
        {
            return SignalDelivery.Gone;
        }

        Leader.Signal(signal);
        return SignalDelivery.Sent;
    }

    public override void ExemptFromExitKill() => RequireUse();

    public override int Read(ChildOutput stream, Span<byte> room, out bool hasEnded)
    {
        RequireGate();
        hasEnded = true;
        int count = Stream(stream)?.Read(room, out hasEnded) ?? 0;
        if (count > 0)
        {
            _events!.OnOutput();
        }

        return count;
    }

    public override void ResumeOutput(ChildOutput stream)
    {
        RequireGate();
        Stream(stream)?.Watch();
    }

    public override void ResumeInput()
    {
        RequireGate();
        _isInputWatched = true;
        RefreshInput();
    }

    public override bool DrainOutput()
    {
        RequireUse();
        _output?.Drain();
        _error?.Drain();
        return !IsOpen(ChildOutput.Output) && !IsOpen(ChildOutput.Error);
    }

    public override bool IsOpen(ChildOutput stream)
    {
        RequireGate();
        return Stream(stream) is { IsOpen: true };
    }

    public override void StopReading(ChildOutput stream)
    {
        RequireUse();
        Stream(stream)?.Close();
    }

    public override ResourceUse Release()
    {
        RequireUse();
        World.Require(!_isStarting, "A child is not released in the middle of its start.");
        if (Leader is not null && !IsExitTold)
        {
            Kill();
        }

        IsReleased = true;
        if (Leader is not null)
        {
            Leader.Died = null;
        }

        _backend.Unregister(this);
        CloseInput();
        ClosePipes();
        Array.ForEach([_deadline, _exit, _write, _answer], _world.Cancel);
        return default;
    }

    public override string ToString() => $"run {Script.Number}";

    private bool IsInReach(SimulatedProcess process) =>
        process.IsLeader || (process.IsInGroup && _plan.Group != LaunchGroup.Inherit);

    private bool TryReach(Action<SimulatedProcess> reach)
    {
        RequireUse();
        IsStopped = true;
        if (_isStarting)
        {
            // The child discards all signals but SIGKILL.
            return Leader is null && _world.Dice.Percent(60);
        }

        Reach(reach);
        return Leader is not null;
    }

    private void Reach(Action<SimulatedProcess> reach)
    {
        foreach (SimulatedProcess process in Family.Where(IsInReach).ToArray())
        {
            reach(process);
        }
    }

    // A process cannot be looked at in the middle of an exec.
    private bool TryReach(Descendant descendant, Action<SimulatedProcess> reach)
    {
        RequireUse();
        World.Require(_isAnswering, "A descendant is signaled where the survey reports it.");
        bool isSeen = _world.Dice.Percent(90);
        if (isSeen)
        {
            reach(Family.Find(process => process.Id == descendant.ProcessId)!);
        }

        return isSeen;
    }

    private SimulatedStream? Stream(ChildOutput stream) => stream == ChildOutput.Output ? _output : _error;

    private void RequireGate() => World.Require(Monitor.IsEntered(this), "A child is called with its gate held.");

    private void RequireUse()
    {
        RequireGate();
        World.Require(!IsReleased, "Nothing uses a child after its release.");
    }

    private void Create()
    {
        SimulatedPipe? input = Connect(_plan.Input, 0);
        SimulatedPipe? output = Connect(_plan.Output, 1);
        SimulatedPipe? error = Connect(_plan.Error, 2);
        if (_plan.Error.Kind == StreamBindingKind.Output)
        {
            error = output;
            error?.AddWriter();
        }

        SimulatedProcess leader = new(_world, _backend.NextProcessId(), Script, Family)
        {
            Input = input,
            Output = output,
            Error = error,
        };
        _input = _plan.Input.Kind == StreamBindingKind.Pipe ? input : null;
        if (_plan.Output.Kind == StreamBindingKind.Pipe)
        {
            _output = new SimulatedStream(_world, output!, _streams!.Output, Readable(ChildOutput.Output));
        }

        if (_plan.Error.Kind == StreamBindingKind.Pipe)
        {
            _error = new SimulatedStream(_world, error!, _streams!.Error, Readable(ChildOutput.Error));
        }

        if (_input is not null)
        {
            _input.Changed = RefreshInput;
        }

        if (_isKilledInStart)
        {
            leader.Kill();
        }
    }

    private SimulatedPipe? Connect(StreamBinding binding, int index) => binding.Kind switch
    {
        StreamBindingKind.Pipe => new SimulatedPipe((3 * Script.Number) + index, Script.PipeCapacity),
        StreamBindingKind.Connection => ((SimulatedConnection)binding.Connection!).Pipe,
        _ => null,
    };

    private Happening Readable(ChildOutput stream)
    {
        Action handle = () => Stream(stream)!.Handle(_events!);
        string name = stream == ChildOutput.Output ? "output is readable" : "errors are readable";
        return new Happening(this, name, () => OnReady(handle), isOnReactor: true);
    }
}
