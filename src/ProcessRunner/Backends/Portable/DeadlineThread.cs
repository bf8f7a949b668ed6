using System;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>Represents the one thread that keeps the deadlines of all children and timers of a backend.</summary>
/// <remarks>
/// <c>_gate</c> guards the heap. It is acquired inside a child's gate, and released before a deadline is handled.
/// </remarks>
internal sealed class DeadlineThread : IDeadlineKeeper, IDisposable
{
    private readonly object _gate = new();
    private readonly DeadlineHeap _deadlines = new();
    private bool _isStopping;

    /// <exception cref="OutOfMemoryException">The system has no thread.</exception>
    public DeadlineThread() => OwnThread.Start("ProcessRunner timers", Loop);

    public void Admit(TimedEntry entry)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Admit(entry);
        }
    }

    public void Dismiss(TimedEntry entry)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _deadlines.Remove(entry);
        }
    }

    public void SetDeadline(TimedEntry entry, long instant)
    {
        using (Uninterruptible.Lock(_gate))
        {
            long before = _deadlines.Earliest;
            _deadlines.Set(entry, instant);
            if (_deadlines.Earliest < before)
            {
                Monitor.Pulse(_gate);
            }
        }
    }

    /// <summary>Ends the thread after the call in progress, if any.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isStopping = true;
            Monitor.Pulse(_gate);
        }
    }

    private void Loop()
    {
        try
        {
            while (HandleNext())
            {
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: the thread for deadlines met a broken invariant.", exception);
        }
    }

    // Returns false once the backend is disposed. Not inlined, so that no local of the loop keeps a finished run alive
    // while the thread waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool HandleNext()
    {
        TimedEntry? entry = TakeExpired();
        switch (entry)
        {
            case PortableChild child:
                child.OnDeadline();
                break;

            case KeptTimer timer:
                timer.OnDeadline();
                break;
        }

        return entry is not null;
    }

    // Returns null once the backend is disposed.
    private TimedEntry? TakeExpired()
    {
        using (Uninterruptible.Lock(_gate))
        {
            TimedEntry? entry = null;
            while (!_isStopping && (entry = _deadlines.TakeExpired(MonotonicClock.Now)) is null)
            {
                Monitor.Wait(_gate, Patience());
            }

            return entry;
        }
    }

    private int Patience() => _deadlines.Earliest == MonotonicClock.Never
        ? Timeout.Infinite
        : MonotonicClock.MillisecondsUntil(_deadlines.Earliest, MonotonicClock.Now);
}
