using System;
using System.Collections.Generic;
using ProcessRunner.Backends;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>What happens to a child, and what follows from it. With the gate held.</summary>
internal sealed partial class ChildLife
{
    void IChildEvents.OnOutput()
    {
        bool hasIdleTimeout = Command.IdleTimeout >= TimeSpan.Zero;
        if (hasIdleTimeout)
        {
            _lastOutputAt = MonotonicClock.Now;
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
        _exitedAt = MonotonicClock.Now;
        _drainUntil = Math.Min(MonotonicClock.After(_exitedAt, Command.DrainGrace), _timeoutAt);
        if (Command.Descendants == DescendantPolicy.KillAlways)
        {
            Descendants.OnLeaderExit(_exitedAt);
        }

        if (_descendants is not { MustSettle: true })
        {
            _ladder?.End();
        }

        // All that the child wrote is in the pipes by now. What keeps them open is somebody else.
        _child.DrainOutput();
        Advance(_exitedAt);
    }

    void IChildEvents.OnDeadline(long now)
    {
        StopAgain(now);
        if (now >= _timeoutAt && _status is not null)
        {
            // The child has ended in time. What is left, a held stream or a slow receiver, is not waited for.
            _timeoutAt = MonotonicClock.Never;
            _deliveryLimit.Begin(StopCause.Timeout);
        }
        else if (now >= _timeoutAt)
        {
            BeginStop(StopCause.Timeout, Command.StopGrace);
        }
        else if (_status is null && _start.IsDecided && _cause == StopCause.None && now >= IdleUntil)
        {
            OnSilence(now);
        }

        if (now >= KillAt)
        {
            Kill(now);
        }

        _streams.OnDeadline(now);
        if (!HasEnded)
        {
            Advance(now);
        }
    }

    void IStreamOwner.OnExceeded()
    {
        // Too much is too much, also where it is found in the pipe of a child that has ended.
        if (_cause == StopCause.None)
        {
            _cause = StopCause.OutputLimit;
        }

        BeginStop(StopCause.OutputLimit, Command.StopGrace);
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
        Descendants.OnSurvey(descendants, isLast);
        if (isLast)
        {
            _child.SetDeadline(MonotonicClock.Now);
        }
    }

    // A child whose output has not been read yet is not idle: it may wait for a receiver of ours, or the machine is slow. The
    // limit begins anew, so that silence behind a slow receiver ends as well.
    private void OnSilence(long now)
    {
        if (_child.HasUnreadOutput)
        {
            _lastOutputAt = now;
        }
        else
        {
            BeginStop(StopCause.IdleTimeout, Command.StopGrace);
        }
    }
}
