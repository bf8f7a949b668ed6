using System;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Stops one child: asks it to end, then kills it after a grace period. Guarded by the child's gate.
/// </summary>
/// <remarks>
/// A child whose start is under way discards all signals before its program runs. It is therefore asked once it has
/// started. If that takes too long, the start hangs and the child is killed: it has done nothing yet that deserves a
/// grace period.
/// </remarks>
internal sealed class StopLadder(BackendChild child)
{
    private static readonly TimeSpan s_startPatience = TimeSpan.FromSeconds(1);

    // The pause between two kills of a child whose start is under way: the first may have come before the process
    // existed.
    private static readonly TimeSpan s_startPause = TimeSpan.FromMilliseconds(10);

    private long _killAt = MonotonicClock.Never;
    private long _startKillAt = MonotonicClock.Never;
    private bool _isAsked;
    private bool _isKilled;

    /// <summary>Gets the instant at which the kill is due.</summary>
    public long KillAt => Math.Min(_killAt, _startKillAt);

    /// <summary>Asks the child to end, once. A second call can only bring the kill forward.</summary>
    /// <param name="now">The current instant.</param>
    /// <param name="grace">The time until the kill.</param>
    /// <param name="isStarting">Whether the start is still under way.</param>
    public void Begin(long now, TimeSpan grace, bool isStarting)
    {
        _killAt = Math.Min(_killAt, MonotonicClock.After(now, grace));
        if (isStarting)
        {
            _startKillAt = Math.Min(_startKillAt, MonotonicClock.After(now, s_startPatience));
        }
        else
        {
            Ask();
        }
    }

    /// <summary>Kills the child.</summary>
    /// <param name="now">The current instant.</param>
    /// <param name="isStarting">Whether the start is still under way. In this case the kill is repeated.</param>
    public void Kill(long now, bool isStarting)
    {
        child.Kill();
        _killAt = MonotonicClock.Never;
        _startKillAt = isStarting ? MonotonicClock.After(now, s_startPause) : MonotonicClock.Never;
        _isKilled = true;
    }

    /// <summary>Handles the end of a start that was under way during the stop.</summary>
    /// <returns>True if the child is to be killed now.</returns>
    public bool OnStarted()
    {
        _startKillAt = MonotonicClock.Never;
        if (!_isKilled)
        {
            Ask();
        }

        return _isKilled;
    }

    /// <summary>Ends the ladder: no process is left to kill.</summary>
    public void End() => _killAt = _startKillAt = MonotonicClock.Never;

    private void Ask()
    {
        if (!_isAsked)
        {
            _isAsked = child.RequestStop();
        }
    }
}
