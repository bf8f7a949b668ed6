using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>
/// Stops the child. Handles a lack of memory as well, which stops the child, or puts its stop off: the child's deadline
/// retries each operation that needs memory, until it succeeds.
/// </summary>
internal sealed partial class ChildLife
{
    private OutOfMemoryException? _shortage;
    private OwedStop _owedStop = new();

    /// <summary>
    /// Begins to stop the child: asks it to end, then kills it after <paramref name="grace"/>. Does nothing once the
    /// run has ended. A second call can only bring the kill forward. The same ladder stops a child whose start is under
    /// way, and a failed start is not retried. Thread-safe; does not wait.
    /// </summary>
    public void Stop(StopCause cause, TimeSpan grace)
    {
        using (Uninterruptible.Lock(Child.Gate))
        {
            if (!HasEnded)
            {
                BeginStop(cause, grace);
                SetDeadline();
            }
        }

        _start.TellDecided();
    }

    private StopLadder Ladder => _ladder ??= new StopLadder(Child);

    private long KillAt => _ladder?.KillAt ?? MonotonicClock.Never;

    void IChildEvents.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    void IStreamOwner.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!HasEnded)
        {
            _shortage ??= exception;
            _cause = _cause == StopCause.None ? StopCause.OutOfMemory : _cause;
            _streams.LetGo();
            OweStop(StopCause.OutOfMemory, Command.StopGrace);
        }
    }

    private void BeginStop(StopCause cause, TimeSpan grace)
    {
        Child.AssertGate();
        if (_status is null && _cause == StopCause.None)
        {
            _cause = cause;
        }

        // The limit of the whole run has taken effect or been overtaken.
        _timeoutAt = MonotonicClock.Never;
        _teardown.LimitDelivery(cause);
        try
        {
            BeginLadder(grace);
        }
        catch (OutOfMemoryException)
        {
            OweStop(cause, grace);
        }
    }

    private void BeginLadder(TimeSpan grace)
    {
        FaultPoint.Allocate("managed memory");
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

    private ExceptionDispatchInfo Shortage(OutOfMemoryException exception) =>
        ExceptionDispatchInfo.Capture(new InsufficientMemoryException(
            $"There was no memory for what '{Command.FileName}' wrote: {Command}", exception));
}
