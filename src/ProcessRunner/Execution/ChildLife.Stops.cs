using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>
/// Stops the child. Handles a lack of memory as well, which stops the child, or puts its stop off: the child's deadline
/// retries each operation that needs memory, until it succeeds.
/// </summary>
internal sealed partial class ChildLife
{
    // Made while there is memory. A start that fails without any has this failure.
    private static readonly ExceptionDispatchInfo s_noMemory =
        ExceptionDispatchInfo.Capture(new InsufficientMemoryException("There was no memory for the start of a child."));

    private OutOfMemoryException? _shortage;
    private OwedStop _owedStop = new();

    // The limit that has passed, if it is not that of the command.
    private TimeSpan? OtherLimit => _cause switch
    {
        StopCause.Timeout => _limit == Command.Timeout ? null : _limit,
        StopCause.WaitLimit or StopCause.BatchTimeout => _limit,
        _ => null,
    };

    /// <summary>
    /// Begins to stop the child: asks it to end, then kills it after <paramref name="grace"/>. Does nothing once the
    /// run has ended. A second call can only bring the kill forward. The same ladder stops a child whose start is under
    /// way, and a failed start is not retried. Thread-safe; does not wait.
    /// </summary>
    /// <param name="cause">The cause, kept if it is the first.</param>
    /// <param name="grace">The time until the kill.</param>
    /// <param name="limit">The limit of the caller that has passed, if that is the cause.</param>
    public void Stop(StopCause cause, TimeSpan grace, TimeSpan? limit = null)
    {
        using (Uninterruptible.Lock(Child.Gate))
        {
            if (!HasEnded)
            {
                _limit = !IsStopped && limit is TimeSpan passed ? passed : _limit;
                BeginStop(cause, grace);
                SetDeadline();
            }
        }

        _start.TellDecided();
    }

    /// <summary>Begins to stop the child as its command says. Thread-safe; does not wait.</summary>
    public void Stop(StopCause cause) => Stop(cause, Command.WholeStopGrace);

    /// <summary>
    /// Gets whether somebody has stopped the run. A limit has not: its run has a result. Requires the gate.
    /// </summary>
    public bool IsCalledOff
    {
        get
        {
            Child.AssertGate();
            return _cause is not (StopCause.None or StopCause.Timeout or StopCause.WaitLimit or StopCause.OutOfMemory);
        }
    }

    /// <summary>
    /// Ends a run that was called off before the first attempt to start, which is not made. Requires the gate.
    /// </summary>
    public void OnCalledOff()
    {
        Child.AssertGate();
        Exception failure;
        try
        {
            FaultPoint.AllocateManaged();
            string message = $"Stopped before its start: {Command}";
            failure = _cause is StopCause.Dispose or StopCause.EngineDispose
                ? new ObjectDisposedException(objectName: null, message)
                : new OperationCanceledException(message);
        }
        catch (OutOfMemoryException exception)
        {
            failure = exception;
        }

        OnStartFailed(failure);
    }

    private StopLadder Ladder => _ladder ??= new StopLadder(Child, Command);

    // The instant at which the ladder has something to do.
    private long LadderAt => _ladder is null
        ? MonotonicClock.Never
        : Math.Min(_ladder.KillAt, Math.Min(_ladder.StepAt, _ladder.HeldUntil));

    // A stop that comes after the exit is not its cause.
    private bool HasExited => _status is not null || Child.HasExited;

    private bool IsStopHeld => _ladder is { IsHeld: true };

    void IChildEvents.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    void IStreamOwner.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!HasEnded)
        {
            _shortage ??= exception;
            _cause = _cause == StopCause.None ? StopCause.OutOfMemory : _cause;
            _streams.LetGo();
            OweStop(StopCause.OutOfMemory, Command.WholeStopGrace);
        }
    }

    private void BeginStop(StopCause cause, TimeSpan grace)
    {
        Child.AssertGate();
        if (_cause == StopCause.None && !HasExited)
        {
            _cause = cause;
        }

        // The limit of the whole run has taken effect or been overtaken.
        _timeoutAt = MonotonicClock.Never;
        try
        {
            if (!TryHold(cause, grace))
            {
                _teardown.LimitDelivery(cause);
                BeginLadder(grace);
            }
        }
        catch (OutOfMemoryException)
        {
            OweStop(cause, grace);
        }
    }

    private void BeginLadder(TimeSpan grace)
    {
        FaultPoint.AllocateManaged();
        long now = MonotonicClock.Now;
        _teardown.OnStop(_streams, now);
        if (_start.PauseAfter is ExceptionDispatchInfo failure)
        {
            OnStartFailed(failure.SourceException);
        }
        else if (_status is not null && !_teardown.MustSettle)
        {
            _teardown.EndDrain(now);
        }
        else if (grace == TimeSpan.Zero)
        {
            Kill(now);
        }
        else
        {
            Ladder.Begin(now, grace, isStarting: !_start.IsDecided);
        }
    }

    private void ClimbLadder(long now)
    {
        if (now >= Ladder.HeldUntil)
        {
            Ladder.EndHold();
            BeginStop(_cause, Ladder.HeldGrace);
        }

        if (now >= Ladder.KillAt)
        {
            Kill(now);
        }
        else if (now >= Ladder.StepAt)
        {
            _teardown.OnFurtherStop(Ladder.Step(now).Signal);
        }
    }

    // Holds the stop back for the user's call before it. A kill at once does not wait for the call.
    private bool TryHold(StopCause cause, TimeSpan grace)
    {
        bool isKill = grace == TimeSpan.Zero
            && cause is StopCause.Request or StopCause.Dispose or StopCause.EngineDispose or StopCause.Interrupt;
        if (isKill)
        {
            _ladder?.EndHold();
        }
        else if (IsStopHeld)
        {
            Ladder.Hold(MonotonicClock.Never, grace);
        }
        else if (Command.BeforeStop is Action<StopNotice> call
            && !Ladder.HasBeenHeld
            && !HasExited
            && _start.IsDecided
            && cause != StopCause.OutOfMemory)
        {
            StopNotice notice = new(Command, ProcessId, cause);
            DeliveryJob job = new(() => CallBeforeStop(call, notice), Ladder.Context);
            Ladder.Hold(MonotonicClock.In(Command.BeforeStopLimit), grace);
            Engine.Streams.Threads.Post(job);
        }

        return IsStopHeld;
    }

    private void CallBeforeStop(Action<StopNotice> call, StopNotice notice)
    {
        using (Uninterruptible.Lock(Child.Gate))
        {
            if (!IsStopHeld)
            {
                // The stop no longer waits, and the process id may belong to another process by now.
                return;
            }
        }

        ExceptionDispatchInfo? failure = null;
        try
        {
            call(notice);
        }
        catch (Exception exception)
        {
            failure = ExceptionDispatchInfo.Capture(exception);
        }

        using (Uninterruptible.Lock(Child.Gate))
        {
            Ladder.Failure = failure;
            if (IsStopHeld)
            {
                Ladder.Hold(MonotonicClock.Now, Ladder.HeldGrace);
                SetDeadline();
            }
        }
    }

    private void Kill(long now)
    {
        Ladder.Kill(now, isStarting: !_start.IsDecided);
        if (_start.IsDecided)
        {
            _teardown.OnKill(_streams, now);
        }
    }

    // Allocates no memory itself.
    private void OweStop(StopCause cause, TimeSpan grace)
    {
        _owedStop.Add(cause, grace);
        SetDeadline();
    }

    private static ExceptionDispatchInfo Captured(Exception failure)
    {
        try
        {
            FaultPoint.AllocateManaged();
            return ExceptionDispatchInfo.Capture(failure);
        }
        catch (OutOfMemoryException)
        {
            return s_noMemory;
        }
    }

    private ExceptionDispatchInfo Shortage(OutOfMemoryException exception) =>
        ExceptionDispatchInfo.Capture(new InsufficientMemoryException(
            $"There was no memory for what '{Command.Hide(Command.FileName)}' wrote: {Command}", exception));
}
