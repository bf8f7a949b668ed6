using System;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents a timer that one reactor keeps from its creation to its disposal. The reactor's lock guards its deadline.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ReactorTimer : BackendTimer
{
    private static readonly TimeSpan s_pauseWithoutMemory = TimeSpan.FromMilliseconds(10);

    private readonly EpollReactor _reactor;
    private readonly Action<long> _expired;
    private volatile bool _isDisposed;

    public ReactorTimer(EpollReactor reactor, Action<long> expired)
    {
        _reactor = reactor;
        _expired = expired;
        reactor.AddTimer(this);
    }

    // Never in the past: a timer that is set so again and again would always expire first, and the children's deadlines
    // would never have their turn.
    public override void Set(long instant) => _reactor.SetDeadline(this, Math.Max(instant, MonotonicClock.Now));

    public override void Dispose()
    {
        _isDisposed = true;
        _reactor.RemoveTimer(this);
    }

    /// <summary>Handles a deadline that has passed. Called on the reactor's thread.</summary>
    public void OnDeadline()
    {
        if (_isDisposed)
        {
            return;
        }

        try
        {
            _expired(MonotonicClock.Now);
        }
        catch (OutOfMemoryException)
        {
            Set(MonotonicClock.After(MonotonicClock.Now, s_pauseWithoutMemory));
        }
    }
}
