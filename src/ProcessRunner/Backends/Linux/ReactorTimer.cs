using System;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>A timer that one reactor keeps. Its deadline is guarded by the reactor's lock.</summary>
[SupportedOSPlatform("linux")]
internal sealed class ReactorTimer(EpollReactor reactor, Action<long> expired) : BackendTimer
{
    private static readonly TimeSpan s_pauseWithoutMemory = TimeSpan.FromMilliseconds(10);

    private volatile bool _isDisposed;

    // Not in the past: one that is set so again and again would always be the first to expire, and the children's deadlines
    // would never have their turn.
    public override void Set(long instant) =>
        reactor.SetDeadline(this, _isDisposed ? MonotonicClock.Never : Math.Max(instant, MonotonicClock.Now));

    public override void Dispose()
    {
        _isDisposed = true;
        reactor.SetDeadline(this, MonotonicClock.Never);
    }

    /// <summary>The deadline has passed; on the reactor's thread.</summary>
    public void OnDeadline()
    {
        if (_isDisposed)
        {
            return;
        }

        try
        {
            expired(MonotonicClock.Now);
        }
        catch (OutOfMemoryException)
        {
            Set(MonotonicClock.After(MonotonicClock.Now, s_pauseWithoutMemory));
        }
    }
}
