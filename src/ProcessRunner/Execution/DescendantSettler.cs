using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// Sees to what a child leaves behind, as its <see cref="DescendantPolicy"/> says, between the child's exit and its
/// release. All that time the child is a zombie, so that a signal to its group cannot meet a stranger.
/// </summary>
/// <remarks>
/// Guarded by the child's gate. A survey is asked for with an event of the reactor and answered later on another
/// thread; there is never more than one under way. Where nothing is to be settled or reported none is ever made.
/// </remarks>
internal sealed class DescendantSettler(ProcessCommand command, BackendChild child)
{
    // A process that outlives SIGKILL sits in the kernel (state D); who waits must not sit there with it.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMilliseconds(20);

    private readonly HashSet<int> _asked = [];
    private readonly HashSet<int> _killed = [];
    private IReadOnlyList<Descendant>? _answer;
    private long _lastFoundAt = long.MinValue;
    private TimeSpan _pause = TimeSpan.FromMilliseconds(1);
    private bool _isAsking;
    private bool _isStopped;
    private bool _isSettled;

    /// <summary>When SIGKILL went to the group, or null.</summary>
    public long? KilledAt { get; private set; }

    /// <summary>When it wants to be asked again whether they <see cref="AreSettled"/>.</summary>
    public long NextLook { get; private set; } = MonotonicClock.Never;

    /// <summary>True while a look is under way or to come: what follows it waits for that, and for nothing else.</summary>
    public bool IsBusy => _isAsking || NextLook != MonotonicClock.Never;

    /// <summary>True if they are to be killed.</summary>
    public bool MustSettle => command.Descendants == DescendantPolicy.KillAlways
        || (command.Descendants == DescendantPolicy.KillOnStop && _isStopped);

    /// <summary>Those that were alive at the last look.</summary>
    public IReadOnlyList<SurvivingProcess> Survivors =>
        _answer is null or { Count: 0 }
            ? []
            : [.. _answer.Select(found => new SurvivingProcess(found.ProcessId, found.CommandLine))];

    /// <summary>The run is being stopped.</summary>
    public void OnStop(long now)
    {
        _isStopped = true;
        if (!_isAsking)
        {
            NextLook = now;
        }
    }

    /// <summary>SIGKILL has gone to the group.</summary>
    public void OnKill(long now)
    {
        KilledAt ??= now;
        NextLook = Math.Min(NextLook, PatienceEnd);
    }

    /// <summary>The child has exited by itself or by the first signal of a stop.</summary>
    public void OnLeaderExit(long now)
    {
        if (command.Descendants == DescendantPolicy.KillAlways && !_isStopped)
        {
            KillGroup(now);
        }
    }

    /// <summary>An answer has come.</summary>
    /// <param name="descendants">Those that have been found.</param>
    /// <param name="isLast">False if the look goes on. Those that it has found so far are signalled all the same.</param>
    public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
    {
        long now = MonotonicClock.Now;
        if (MustSettle)
        {
            SignalAll(descendants, now);
        }

        if (isLast)
        {
            _isAsking = false;
            _answer = descendants;
            NextLook = MustSettle ? MonotonicClock.After(now, _pause) : MonotonicClock.Never;
            _pause = TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, s_longestPause.Ticks));
        }
    }

    /// <summary>True if nobody is left who is to be killed, or if there is no more that can be done about it.</summary>
    public bool AreSettled(long now)
    {
        if (MustSettle && !_isSettled && _answer is not { Count: 0 } && now < PatienceEnd)
        {
            if (!_isAsking && (_answer is null || now >= NextLook))
            {
                Ask();
            }

            return false;
        }

        if (MustSettle && !_isSettled)
        {
            // A member that forked and ended during the look was in neither place: this reaches what it forked.
            KillGroup(now);
            _isSettled = true;
        }

        NextLook = MonotonicClock.Never;
        return true;
    }

    /// <summary>True if the result can be told: a look has been had where the policy wants one.</summary>
    public bool IsLookedAt(bool isSuspicious)
    {
        bool wantsLook = command.Descendants == DescendantPolicy.Report
            || (isSuspicious && command.Descendants != DescendantPolicy.Leave);
        if (!wantsLook || _answer is not null)
        {
            return true;
        }

        if (!_isAsking)
        {
            Ask();
        }

        return false;
    }

    private long PatienceEnd => KilledAt is long killedAt
        ? MonotonicClock.After(Math.Max(killedAt, _lastFoundAt), s_patience)
        : MonotonicClock.Never;

    private void SignalAll(IReadOnlyList<Descendant> descendants, long now)
    {
        if (KilledAt is null)
        {
            foreach (Descendant escapee in descendants.Where(found => !found.IsInGroup && !_asked.Contains(found.ProcessId)))
            {
                if (child.SignalDescendant(command.StopSignal, escapee))
                {
                    _asked.Add(escapee.ProcessId);
                }
            }

            return;
        }

        foreach (Descendant found in descendants)
        {
            // One that shows up late has as much time to die as all others had.
            if (_killed.Add(found.ProcessId))
            {
                _lastFoundAt = now;
            }

            if (!found.IsInGroup)
            {
                child.SignalDescendant(SignalNumber.Kill, found);
            }
        }

        if (descendants.Any(found => found.IsInGroup))
        {
            child.Signal(SignalNumber.Kill, SignalScope.Group);
        }
    }

    private void Ask()
    {
        _isAsking = true;
        NextLook = MustSettle ? PatienceEnd : MonotonicClock.Never;
        child.Survey();
    }

    private void KillGroup(long now)
    {
        child.Signal(SignalNumber.Kill, SignalScope.Group);
        OnKill(now);
    }
}
