using System;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// The stop of one child's group: its stop signal, and SIGKILL after a grace. Guarded by the child's gate.
/// </summary>
/// <remarks>
/// A child that is still being started discards what it is sent before its program runs. So it gets the stop signal once it
/// has been started; if that takes long its start hangs, and it is killed: it has done nothing yet that a grace is for.
/// </remarks>
internal sealed class StopLadder(BackendChild child, PosixSignal stopSignal)
{
    private static readonly TimeSpan s_startPatience = TimeSpan.FromSeconds(1);

    // Between two SIGKILLs for a child that is still being started: the first may have come before there was one.
    private static readonly TimeSpan s_startPause = TimeSpan.FromMilliseconds(10);

    private long _killAt = MonotonicClock.Never;
    private long _startKillAt = MonotonicClock.Never;
    private bool _isAsked;
    private bool _isKilled;

    /// <summary>When SIGKILL is due.</summary>
    public long KillAt => Math.Min(_killAt, _startKillAt);

    /// <summary>Sends the stop signal, once. A second call can only bring SIGKILL forward.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="grace">Until SIGKILL.</param>
    /// <param name="isStarting">Whether the child is still being started.</param>
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

    /// <summary>Sends SIGKILL.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="isStarting">Whether the child is still being started: then it is sent again and again.</param>
    public void Kill(long now, bool isStarting)
    {
        child.Signal(SignalNumber.Kill, SignalScope.Group);
        _killAt = MonotonicClock.Never;
        _startKillAt = isStarting ? MonotonicClock.After(now, s_startPause) : MonotonicClock.Never;
        _isKilled = true;
    }

    /// <summary>The child has been started while it was being stopped.</summary>
    /// <returns>True if it is to be killed now.</returns>
    public bool OnStarted()
    {
        _startKillAt = MonotonicClock.Never;
        if (!_isKilled)
        {
            Ask();
        }

        return _isKilled;
    }

    /// <summary>There is nobody left to kill.</summary>
    public void End() => _killAt = _startKillAt = MonotonicClock.Never;

    private void Ask()
    {
        if (!_isAsked)
        {
            _isAsked = child.Signal(stopSignal, SignalScope.Group);

            // A suspended child takes its signals only when it goes on.
            child.Signal(SignalNumber.Continue, SignalScope.Group);
        }
    }
}
