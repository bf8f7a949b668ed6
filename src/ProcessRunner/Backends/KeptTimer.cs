using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends;

/// <summary>
/// Represents a timer that one thread of a backend keeps from its creation to its disposal. The lock of that thread
/// guards its deadline.
/// </summary>
internal sealed class KeptTimer : BackendTimer
{
    private static readonly TimeSpan s_pauseWithoutMemory = TimeSpan.FromMilliseconds(10);

    private readonly IDeadlineKeeper _keeper;
    private readonly Action<long> _expired;
    private volatile bool _isDisposed;

    /// <exception cref="OutOfMemoryException">There is no memory for the timer.</exception>
    public KeptTimer(IDeadlineKeeper keeper, Action<long> expired)
    {
        _keeper = keeper;
        _expired = expired;
        keeper.Admit(this);
    }

    // Never in the past: a timer that is set so again and again would always expire first, and the children's deadlines
    // would never have their turn.
    public override void Set(long instant) => _keeper.SetDeadline(this, Math.Max(instant, MonotonicClock.Now));

    public override void Dispose()
    {
        _isDisposed = true;
        _keeper.Dismiss(this);
    }

    /// <summary>Handles a deadline that has passed. Called on the thread that keeps the timer.</summary>
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
            Set(MonotonicClock.In(s_pauseWithoutMemory));
        }
    }
}
