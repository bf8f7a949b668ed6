using System;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// The stop of one child's group: its stop signal, and SIGKILL after a grace. A child that is still being started is on the
/// ladder like any other. Guarded by the child's gate.
/// </summary>
internal sealed class StopLadder(BackendChild child, PosixSignal stopSignal)
{
    // Between two SIGKILLs for a child that is still being started: the first may have come before there was one.
    private static readonly TimeSpan s_startPause = TimeSpan.FromMilliseconds(10);

    private bool _isAsked;
    private bool _isKilled;

    /// <summary>When SIGKILL is due.</summary>
    public long KillAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Sends the stop signal, once. A second call can only bring SIGKILL forward.</summary>
    public void Begin(long now, TimeSpan grace)
    {
        Ask();
        KillAt = Math.Min(KillAt, MonotonicClock.After(now, grace));
    }

    /// <summary>Sends SIGKILL.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="isStarting">Whether the child is still being started: then it is sent again and again.</param>
    public void Kill(long now, bool isStarting)
    {
        child.Signal(SignalNumber.Kill, SignalScope.Group);
        KillAt = isStarting ? MonotonicClock.After(now, s_startPause) : MonotonicClock.Never;
        _isKilled = true;
    }

    /// <summary>The child has been started while it was being stopped. It may not have been there when it was signalled.</summary>
    /// <returns>True if it is to be killed now.</returns>
    public bool OnStarted()
    {
        if (!_isKilled)
        {
            Ask();
        }

        return _isKilled;
    }

    /// <summary>There is nobody left to kill.</summary>
    public void End() => KillAt = MonotonicClock.Never;

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
