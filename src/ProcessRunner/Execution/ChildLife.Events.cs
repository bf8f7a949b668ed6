using System;
using System.Collections.Generic;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>Handles the events of a child. Every event arrives with the gate held.</summary>
internal sealed partial class ChildLife
{
    private static readonly TimeSpan s_reportPause = TimeSpan.FromMilliseconds(10);

    void IChildEvents.OnOutput()
    {
        bool hasIdleTimeout = _status is null && Command.IdleTimeout >= TimeSpan.Zero;
        if (hasIdleTimeout)
        {
            _lastSeenAt = MonotonicClock.Now;
        }

        if (hasIdleTimeout || _streams.Deadline != MonotonicClock.Never)
        {
            SetDeadline();
        }
    }

    void IChildEvents.OnEndOfOutput() => Advance(MonotonicClock.Now);

    void IChildEvents.OnExit(ExitStatus status)
    {
        _status = status;
        _lastSeenAt = MonotonicClock.Now;
        _teardown.OnExit(_streams, _lastSeenAt, _timeoutAt);
        if (!_teardown.MustSettle && !IsStopHeld)
        {
            _ladder?.End();
        }

        // All output of the child itself is in the pipes by now. Only another process can keep them open.
        Child.DrainOutput();
        Advance(_lastSeenAt);
    }

    void IChildEvents.OnDeadline(long now)
    {
        if (_owedStop.TryTake(now, out StopCause cause, out TimeSpan grace))
        {
            BeginStop(cause, grace);
        }

        if (now >= _timeoutAt && _status is not null)
        {
            // The child has exited in time. The run does not wait for the rest: a stream held open or a slow receiver.
            _timeoutAt = MonotonicClock.Never;
            _teardown.LimitDelivery(StopCause.Timeout);
        }
        else if (now >= _timeoutAt && HasExited)
        {
            // This process was held up, and the exit is about to be reported.
            _timeoutAt = MonotonicClock.After(now, s_reportPause);
        }
        else if (now >= _timeoutAt)
        {
            BeginStop(StopCause.Timeout, Command.WholeStopGrace);
        }
        else if (_status is null && _start.IsDecided && _cause == StopCause.None && now >= IdleUntil)
        {
            OnSilence(now);
        }

        if (now >= LadderAt)
        {
            ClimbLadder(now);
        }

        _streams.OnDeadline(now);
        if (!HasEnded)
        {
            Advance(now);
        }
    }

    void IStreamOwner.OnExceeded()
    {
        // Output over the limit counts even if it is found in the pipe after the child has exited.
        if (_cause == StopCause.None)
        {
            _cause = StopCause.OutputLimit;
        }

        BeginStop(StopCause.OutputLimit, Command.WholeStopGrace);
        SetDeadline();
    }

    void IChildEvents.OnReleased()
    {
        _start.TellDecided();
        if (Completion.Result is ProcessResult result)
        {
            _observer?.OnEnded(result);
        }
    }

    void IChildEvents.OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
    {
        _teardown.OnSurvey(_streams, descendants, isLast);
        if (isLast)
        {
            Child.SetDeadline(MonotonicClock.Now);
        }
    }

    void IChildEvents.OnStopNotSent(Descendant descendant) => _teardown.OnStopNotSent(descendant);

    // A child with unread output is not idle: it may be waiting for one of our receivers, or the machine is slow. The
    // timeout starts again, so that silence behind a slow receiver ends as well. Nor is a child idle whose exit is
    // about to be reported.
    private void OnSilence(long now)
    {
        if (Child.HasUnreadOutput || HasExited)
        {
            _lastSeenAt = now;
        }
        else
        {
            BeginStop(StopCause.IdleTimeout, Command.WholeStopGrace);
        }
    }
}
