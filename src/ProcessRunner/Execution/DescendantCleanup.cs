using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution;

/// <summary>
/// Settles the descendants that a child leaves behind, as its <see cref="DescendantPolicy"/> requires, between the
/// child's exit and its release. During this time the child's id stays reserved, so that a kill cannot reach an
/// unrelated process.
/// </summary>
/// <remarks>
/// The child's gate guards all fields. An event of the reactor requests a survey, and another thread answers it later;
/// at most one survey is under way. If there is nothing to settle or report, no survey is made.
/// </remarks>
internal sealed class DescendantCleanup(ProcessCommand command, BackendChild child)
{
    // A process that survives a kill hangs in the kernel; the waiter must not hang as well.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    // A survey passes over what it cannot read, but the kernel can also hold it up in the middle of a read. This is
    // longer than the patience of a survey, which then knows more.
    private static readonly TimeSpan s_surveyPatience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMilliseconds(20);

    private readonly HashSet<int> _stopRequested = [];
    private readonly HashSet<int> _killed = [];

    // All that this object has found and that were to be ended, with their command lines.
    private readonly Dictionary<int, string> _found = [];
    private IReadOnlyList<Descendant>? _answer;
    private IReadOnlyList<Descendant> _foundSoFar = [];
    private long _surveyUntil = MonotonicClock.Never;
    private bool _hasGivenUpSurvey;
    private PosixSignal _stopSignal = command.StopSignal;
    private long _lastFoundAt = long.MinValue;
    private long? _killsFrom;
    private TimeSpan _pause = TimeSpan.FromMilliseconds(1);
    private bool _isSurveying;
    private bool _isStopped;
    private bool _isSettled;

    /// <summary>Gets the instant at which the child's reach was killed, or null.</summary>
    public long? KilledAt { get; private set; }

    /// <summary>Gets the instant at which <see cref="TrySettle"/> is to be called again.</summary>
    public long NextStep { get; private set; } = MonotonicClock.Never;

    /// <summary>
    /// Gets whether a survey is under way or due. The rest of the run then waits for this survey alone.
    /// </summary>
    public bool IsBusy => _isSurveying || NextStep != MonotonicClock.Never;

    /// <summary>Gets whether the descendants are to be killed.</summary>
    public bool MustSettle => command.Descendants == DescendantPolicy.KillAlways
        || (command.Descendants == DescendantPolicy.KillOnStop && _isStopped);

    /// <summary>Gets the descendants that were alive at the last survey.</summary>
    public IReadOnlyList<SurvivingProcess> Survivors =>
        _answer is null or { Count: 0 }
            ? []
            : [.. _answer.Select(found => new SurvivingProcess(found.ProcessId, command.Hide(found.CommandLine)))];

    /// <summary>Gets the descendants that were found after the exit and that this object has ended.</summary>
    public IReadOnlyList<SurvivingProcess> Killed => _found.Count == 0
        ? []
        :
        [
            .. _found
                .Where(found => _answer?.Any(living => living.ProcessId == found.Key) != true)
                .Select(found => new SurvivingProcess(found.Key, command.Hide(found.Value))),
        ];

    /// <summary>Handles a further signal of the stop, which those that were asked before get as well.</summary>
    public void OnFurtherStop(PosixSignal signal)
    {
        _stopSignal = signal;
        _stopRequested.Clear();
    }

    /// <summary>Handles the stop of the run.</summary>
    public void OnStop(long now)
    {
        _isStopped = true;
        if (!_isSurveying)
        {
            NextStep = now;
        }
    }

    /// <summary>Handles the kill of the child's reach.</summary>
    public void OnKill(long now)
    {
        KilledAt ??= now;
        NextStep = Math.Min(NextStep, PatienceEnd);
    }

    /// <summary>Handles the exit of the child, by itself or by the first request to stop.</summary>
    public void OnExit(long now)
    {
        if (command.Descendants == DescendantPolicy.KillAlways && !_isStopped)
        {
            // Those that live are looked for first, so that the result can name them.
            _killsFrom = now;
        }
    }

    /// <summary>Handles the answer of a survey.</summary>
    /// <param name="descendants">The descendants found.</param>
    /// <param name="isLast">
    /// False if the survey goes on. The descendants found so far are signaled nevertheless.
    /// </param>
    public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
    {
        if (_hasGivenUpSurvey)
        {
            return;
        }

        // First the state: if there is no memory for the signals, the next look makes up for it.
        long now = MonotonicClock.Now;
        _foundSoFar = descendants;
        if (isLast)
        {
            _isSurveying = false;
            _answer = descendants;
            NextStep = MustSettle ? MonotonicClock.After(now, _pause) : MonotonicClock.Never;
            _pause = TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, s_longestPause.Ticks));
        }

        if (MustSettle)
        {
            SignalAll(descendants, now);
        }
    }

    /// <summary>Handles that a request to stop, which was on its way, has not reached a descendant.</summary>
    public void OnStopNotSent(Descendant descendant) => _stopRequested.Remove(descendant.ProcessId);

    /// <summary>Returns whether no descendant is left to kill, or nothing more can be done.</summary>
    public bool TrySettle(long now)
    {
        if (MustSettle && !_isSettled && !_hasGivenUpSurvey && _answer is not { Count: 0 } && now < PatienceEnd)
        {
            if (!_isSurveying && (_answer is null || now >= NextStep))
            {
                BeginSurvey(now);
            }

            if (!TryGiveUpSurvey(now))
            {
                return false;
            }
        }

        if (MustSettle && !_isSettled)
        {
            // A process in reach that forked and exited during the survey was missed, and so was its child: this kill
            // ends that child.
            KillReach(now);
            _isSettled = true;
            _answer ??= _foundSoFar.Count > 0 ? _foundSoFar : null;
        }

        NextStep = MonotonicClock.Never;
        return true;
    }

    /// <summary>
    /// Returns whether the result can be reported: a survey has been made if the policy requires one, or has taken too
    /// long.
    /// </summary>
    public bool TrySurvey(bool isSuspicious, long now)
    {
        bool wantsLook = command.Descendants == DescendantPolicy.Report
            || (isSuspicious && command.Descendants != DescendantPolicy.Leave);
        if (!wantsLook || _answer is not null)
        {
            return true;
        }

        if (!_isSurveying)
        {
            BeginSurvey(now);
        }

        return TryGiveUpSurvey(now);
    }

    private long PatienceEnd => (KilledAt ?? _killsFrom) is long killedAt
        ? MonotonicClock.After(Math.Max(killedAt, _lastFoundAt), s_patience)
        : MonotonicClock.Never;

    private void SignalAll(IReadOnlyList<Descendant> descendants, long now)
    {
        FaultPoint.AllocateManaged();
        foreach (Descendant found in descendants)
        {
            _found.TryAdd(found.ProcessId, found.CommandLine);
        }

        if (KilledAt is null && _killsFrom is null)
        {
            foreach (Descendant escapee in descendants
                .Where(found => !found.IsInReach && !_stopRequested.Contains(found.ProcessId)))
            {
                if (child.RequestStop(escapee, _stopSignal))
                {
                    _stopRequested.Add(escapee.ProcessId);
                }
            }

            return;
        }

        foreach (Descendant found in descendants)
        {
            // A descendant found late gets as much time to die as the others.
            if (_killed.Add(found.ProcessId))
            {
                _lastFoundAt = now;
            }

            if (!found.IsInReach)
            {
                child.Kill(found);
            }
        }

        if (descendants.Any(found => found.IsInReach))
        {
            KillReach(now);
        }
    }

    private void BeginSurvey(long now)
    {
        child.Survey();
        _isSurveying = true;
        _surveyUntil = MonotonicClock.After(now, s_surveyPatience);
    }

    private bool TryGiveUpSurvey(long now)
    {
        if (_isSurveying && now >= _surveyUntil)
        {
            _hasGivenUpSurvey = true;
            _isSurveying = false;
            _answer = _foundSoFar;
            NextStep = MonotonicClock.Never;
        }
        else if (_isSurveying)
        {
            NextStep = MustSettle ? Math.Min(PatienceEnd, _surveyUntil) : _surveyUntil;
        }

        return _hasGivenUpSurvey;
    }

    private void KillReach(long now)
    {
        child.Kill();
        OnKill(now);
    }
}
