using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution.Telemetry;
using ProcessRunner.Faults;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents the life of one child from before its start to its result. Decides when the start is retried, when the
/// child is stopped, and what its outcome is.
/// </summary>
/// <remarks>
/// <para>States: starting (<see cref="ChildStart"/>); running; exited (the status is known; the child's id stays
/// reserved during the <see cref="RunTeardown"/>); ended (released, and the <see cref="RunCompletion"/> is set). The
/// state only moves forward. A start that fails for good moves from the first state to the last. A stop
/// (<see cref="StopLadder"/>) can begin in each of the first three states. The first cause is kept, and decides the
/// outcome if the child had not exited.</para>
/// <para>The child's <see cref="BackendChild.Gate"/> guards all mutable state. The backend raises its events with the
/// gate held. <see cref="Stop(StopCause, TimeSpan, TimeSpan?)"/> and <see cref="Signal"/> acquire it from any thread.
/// An attempt to start does not hold it, because the attempt can take as long as a file system does; the limits apply
/// nevertheless. The thread that serves the child handles its end: the reactor's thread, the waiting thread or, for a
/// child that exits during its start, the starting thread. Other threads set the deadline to now, which hands the work
/// over to the reactor.</para>
/// </remarks>
internal sealed partial class ChildLife : IChildEvents, IStreamOwner
{
    private readonly ChildStart _start;
    private readonly IRunObserver? _observer;
    private readonly RunStreams _streams;
    private bool _isInterrupted;
    private volatile bool _isExemptFromExitKill;
    private StopLadder? _ladder;
    private StopCause _cause;
    private ExitStatus? _status;
    private RunTeardown _teardown = new();

    // The instant of the start; then, with an idle timeout, of the last output; finally, of the exit.
    private long _lastSeenAt;
    private long _timeoutAt;

    // The limit that ends at that instant; once it or another limit has stopped the child, that one.
    private TimeSpan _limit;

    private ChildLife(StartOrder order, EngineParts engine, BackendChild child)
    {
        Engine = engine;
        _observer = order.Observer;
        _start = new ChildStart(this, order.Attempt, order.IsTriedOnce);
        _timeoutAt = order.TimeoutAt;
        _limit = order.Timeout;
        Completion = new RunCompletion(child.Gate);
        _streams = new RunStreams(order.Command, child, this);
        if (order.Command.BeforeStop is not null)
        {
            _ladder = new StopLadder(child, order.Command) { Context = ((IStreamOwner)this).Context };
        }
    }

    /// <summary>Gets the command that runs.</summary>
    public ProcessCommand Command => _streams.Command;

    /// <summary>Gets the child.</summary>
    public BackendChild Child => _streams.Child;

    /// <summary>Gets the parts that the children of the engine share.</summary>
    public EngineParts Engine { get; }

    /// <summary>Gets or sets the next of the live runs. Owned by <see cref="LiveRuns"/>.</summary>
    public ChildLife? NextLive { get; set; }

    /// <summary>Gets or sets the previous one of the live runs. Owned by <see cref="LiveRuns"/>.</summary>
    public ChildLife? PreviousLive { get; set; }

    /// <summary>Gets the process id of the child, or 0 while the start is under way.</summary>
    public int ProcessId => Child.ProcessId;

    /// <summary>Gets the instant of the first attempt to start, or 0 before it.</summary>
    public long FirstStartInstant => _start.FirstInstant;

    /// <summary>Gets the instant of the last attempt to start, or 0 before the first one.</summary>
    public long StartInstant => _start.Instant;

    /// <summary>Gets the outcome of the run and its waiters.</summary>
    public RunCompletion Completion { get; }

    /// <summary>Gets whether an attempt to start has begun.</summary>
    public bool HasBegun => _start.HasBegun;

    /// <summary>Gets whether the child is gone and released, or will never exist.</summary>
    public bool HasEnded => Completion.IsSet;

    /// <summary>Gets whether the child outlives its engine.</summary>
    public bool IsExemptFromExitKill => _isExemptFromExitKill;

    /// <summary>Gets whether the child ended before its start returned. In this case no observer is notified.</summary>
    public bool HasEndedAtStart { get; private set; }

    /// <summary>Gets whether a stop began before the exit. Requires the gate.</summary>
    public bool IsStopped
    {
        get
        {
            Child.AssertGate();
            return _cause != StopCause.None;
        }
    }

    /// <summary>Gets the live lines, or null if no stream produces them.</summary>
    public LineChannel? Lines => _streams.Lines;

    /// <summary>Gets the standard input if the user writes it, or null.</summary>
    public ChildInputStream? HandWrittenInput => _streams.HandWritten;

    StreamServices IStreamOwner.Services => Engine.Streams;

    ExecutionContext? IStreamOwner.Context => _observer is null ? ExecutionContext.Capture() : _observer.Context;

    /// <summary>Creates a run that is ready to start. A stop reaches it from now on.</summary>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="InvalidOperationException">
    /// The command has a limit that cannot be enforced, a stream that nothing can reach, or an input that another run
    /// reads.
    /// </exception>
    public static ChildLife Create(StartOrder order, EngineParts engine)
    {
        FaultPoint.AllocateManaged();
        order = order with { Command = order.Command.HiddenBy(engine.Secrets) };
        order.ThrowIfUnfit(engine.Backend);
        ILaunchPlan plan = order.Plan ?? PumpedPlan.For(order.Command, engine.Backend.Capabilities);
        BackendChild child = engine.Backend.Create(plan, order.Environment, order.Slot);
        ChildLife life = new(order, engine, child);
        RunTelemetry.Watch(life);
        if (order.IsReportedIfForgotten)
        {
            engine.Forgotten?.Watch(life);
        }

        using (Uninterruptible.Lock(child.Gate))
        {
            life.Watch();
        }

        engine.Guard?.OnStart();
        return life;
    }

    /// <summary>
    /// Starts the child on the calling thread. If the system lacks a resource, the start is retried for a while, and
    /// the calling thread waits.
    /// </summary>
    /// <exception cref="ProcessStartException">The child could not be started; nothing of it is left.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited; nothing of the child is left.
    /// </exception>
    public void Start()
    {
        _start.Attempt();
        _start.BlockUntilDecided();
        Completion.StartFailure?.Throw();
    }

    /// <summary>
    /// Starts the child and does not wait. A first attempt that could block runs on a delivery thread, and further
    /// attempts run on a reactor. The <see cref="Completion"/> reports the outcome.
    /// </summary>
    public void StartAsync() => _start.AttemptAsync();

    /// <summary>Ends a run whose start has not begun and never will.</summary>
    public void GiveUp(Exception failure)
    {
        using (Uninterruptible.Lock(Child.Gate))
        {
            if (!_start.HasBegun && !_start.IsDecided)
            {
                OnStartFailed(failure);
            }
        }

        _start.TellDecided();
    }

    /// <summary>
    /// Runs an action once the start is decided, on the thread that decides it and with no lock held.
    /// </summary>
    /// <returns>False if the start is already decided; the action does not run.</returns>
    public bool TryWhenStartDecided(Action action) => _start.TryWhenDecided(action);

    /// <summary>Returns whether a batch makes another attempt, with another run, after a failure.</summary>
    public bool IsRepeatedAfter(Exception failure) => _start.IsRepeatedAfter(failure);

    /// <summary>
    /// Handles the beginning of an attempt to start. The time of the run counts from the first attempt. Requires the
    /// gate.
    /// </summary>
    public void OnAttempt()
    {
        Child.AssertGate();
        if (!IsStopped)
        {
            long ownTimeoutAt = MonotonicClock.After(_start.Instant, Command.Timeout);
            if (ownTimeoutAt <= _timeoutAt)
            {
                (_timeoutAt, _limit) = (ownTimeoutAt, Command.Timeout);
            }

            SetDeadline();
        }
    }

    /// <summary>Opens the files that this process reads or writes in place of the child.</summary>
    /// <exception cref="LaunchException">A file cannot be opened; nothing is left open.</exception>
    public void OpenStreams() => _streams.Open();

    /// <summary>Closes those files after an attempt to start that failed.</summary>
    public void CloseStreams() => _streams.CloseUnstarted();

    /// <summary>
    /// Handles the existence of the child: applies the requests that arrived during the start. Requires the gate.
    /// </summary>
    public void OnStarted()
    {
        Child.AssertGate();
        _start.Decide();
        _lastSeenAt = MonotonicClock.Now;
        if (_isInterrupted)
        {
            InterruptUnlessExited();
        }

        if (_ladder?.OnStarted() == true)
        {
            Kill(_lastSeenAt);
        }

        SetDeadline();
        Completion.OnStarted();
        Child.Begin();
        _streams.Start();
        HasEndedAtStart = HasEnded;
        Engine.OnStarted();
    }

    /// <summary>Handles the final failure of the start. Requires the gate.</summary>
    public void OnStartFailed(Exception failure)
    {
        Child.AssertGate();
        _start.Decide();
        Child.Release();
        Engine.Lives.Remove(this);
        Completion.Set(Captured(failure), Engine.OwedEnds);
    }

    /// <summary>Sends a signal to the child alone. Thread-safe.</summary>
    /// <returns>False if the child has exited.</returns>
    /// <exception cref="PlatformNotSupportedException">This system has no such signal.</exception>
    public bool Signal(PosixSignal signal)
    {
        lock (Child.Gate)
        {
            return (!HasEnded && _status is null ? Child.TrySignal(signal) : SignalDelivery.Gone) switch
            {
                SignalDelivery.Unsupported => throw new PlatformNotSupportedException($"This system has no {signal}."),
                SignalDelivery delivery => delivery == SignalDelivery.Sent,
            };
        }
    }

    /// <summary>Excludes the child from the kill at the end of its engine or of this process. Thread-safe.</summary>
    public void ExemptFromExitKill()
    {
        lock (Child.Gate)
        {
            _isExemptFromExitKill = true;
            if (!HasEnded)
            {
                Child.ExemptFromExitKill();
            }
        }
    }

    /// <summary>
    /// Passes a Ctrl-C of the user on to the child. A child whose start is under way gets it as soon as it runs.
    /// Thread-safe.
    /// </summary>
    /// <returns>False if the child has got one before; nothing is sent.</returns>
    public bool TryInterrupt()
    {
        lock (Child.Gate)
        {
            bool isFirst = !_isInterrupted;
            _isInterrupted = true;
            if (isFirst && _start.IsDecided)
            {
                InterruptUnlessExited();
            }

            return isFirst;
        }
    }

    /// <summary>Returns the command, and its process id or its end.</summary>
    public override string ToString() =>
        Completion.Result?.ToString()
        ?? $"{Command}: {(HasEnded ? "not started" : ProcessId == 0 ? "starting" : $"runs as {ProcessId}")}";

    // The disposal of the engine stops and awaits every run that it finds in the list, and refuses all others.
    private void Watch()
    {
        Engine.Lives.Add(this);
        try
        {
            _streams.ClaimInput();
            Child.Watch(this, _streams);
            SetDeadline();
        }
        catch (Exception exception)
        {
            Engine.Lives.Remove(this);
            Completion.Set(ExceptionDispatchInfo.Capture(exception), Engine.OwedEnds);
            throw;
        }
    }

    private long IdleUntil => MonotonicClock.After(_lastSeenAt, Command.IdleTimeout);

    private void InterruptUnlessExited()
    {
        if (!HasEnded && _status is null)
        {
            Child.Interrupt();
        }
    }

    // Moves the life forward as far as possible. Every event calls this method again.
    private void Advance(long now)
    {
        Child.AssertGate();

        // Streams that are not open yet are not closed: a limit can pass while the start is under way.
        if (_start.IsDecided)
        {
            _streams.EndClosed();
        }

        if (_status is not null && !IsStopHeld && _teardown.TryFinish(_streams, now, ref _cause))
        {
            End();
            return;
        }

        SetDeadline();
    }

    private void SetDeadline()
    {
        long next = this switch
        {
            { _start.IsDecided: false } or { IsStopHeld: true } => MonotonicClock.Never,
            { _status: null, _cause: StopCause.None } => IdleUntil,
            { _status: null } => MonotonicClock.Never,
            _ => _teardown.NextStep(_streams),
        };
        long limits = Math.Min(Math.Min(LadderAt, _timeoutAt), _owedStop.DueAt);
        Child.SetDeadline(Math.Min(limits, Math.Min(_streams.Deadline, next)));
    }

    private void End()
    {
        ProcessResult result = new()
        {
            Command = Command,
            ProcessId = ProcessId,
            StoppedBy = _cause,
            OtherLimit = OtherLimit,
            Status = _status!.Value,
            StandardOutput = _streams.CapturedOutput,
            StandardError = _streams.CapturedError,
            DeliveryFailure = _shortage is null ? _streams.Failure ?? _ladder?.Failure : Shortage(_shortage),
            StartTime = _start.Time,
            RunTime = MonotonicClock.Between(_start.Instant, _lastSeenAt),
            StartAttempts = _start.Attempts,
            SurvivingDescendants = _teardown.Survivors,
            KilledDescendants = _teardown.Killed,
            Channels = _streams.CapturedChannels,
        };

        // Nothing from here on allocates memory: there is no second attempt.
        result.Use = Child.Release();
        Engine.Lives.Remove(this);
        Completion.Set(result, Engine.OwedEnds);
    }
}
