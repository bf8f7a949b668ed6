using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>Represents a timer that the deadline thread keeps from its creation to its disposal.</summary>
internal sealed class PortableTimer : BackendTimer
{
    private static readonly TimeSpan s_pauseWithoutMemory = TimeSpan.FromMilliseconds(10);

    private readonly DeadlineThread _deadlines;
    private readonly Action<long> _expired;
    private volatile bool _isDisposed;

    public PortableTimer(DeadlineThread deadlines, Action<long> expired)
    {
        _deadlines = deadlines;
        _expired = expired;
        deadlines.Add(this);
    }

    // Never in the past: a timer that is set so again and again would always expire first, and the children's deadlines
    // would never have their turn.
    public override void Set(long instant) => _deadlines.Set(this, Math.Max(instant, MonotonicClock.Now));

    public override void Dispose()
    {
        _isDisposed = true;
        _deadlines.Remove(this);
    }

    /// <summary>Handles a deadline that has passed. Called on the deadline thread.</summary>
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
