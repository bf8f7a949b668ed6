using System;
using System.Collections.Generic;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Capture;

namespace ProcessRunner.Streams;

/// <summary>
/// Keeps the large segments of captures that were released, for the next ones: memory that this process touches for the
/// first time costs far more than the bytes that go there. Safe from any thread.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the list and is the innermost lock. What lies here and what captures hold stay within the budget
/// together. A segment that nobody wanted for some seconds is let go at the next full garbage collection. Nothing comes here
/// by itself: only the user knows when nobody reads a capture any more.
/// </remarks>
internal sealed class SegmentPool
{
    /// <summary>
    /// The size of a segment in bytes. On the large object heap: what lies there is not copied when the garbage collector
    /// promotes it.
    /// </summary>
    public const int SegmentSize = 1024 * 1024;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private readonly List<(byte[] Bytes, long Since)> _free = [];

    public SegmentPool(CaptureBudget budget)
    {
        Budget = budget;

        // Nobody holds it: it is found unused by every full collection.
        _ = new Trimmer(new WeakReference<SegmentPool>(this));
    }

    /// <summary>What captures and this pool may take together.</summary>
    public CaptureBudget Budget { get; }

    /// <summary>The number of segments that lie here.</summary>
    public int Count
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _free.Count;
            }
        }
    }

    /// <summary>Takes a segment, the one that was used last if there is any.</summary>
    public byte[] Rent()
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_free.Count > 0)
            {
                byte[] bytes = _free[^1].Bytes;
                _free.RemoveAt(_free.Count - 1);
                return bytes;
            }
        }

        return Buffers.Allocate<byte>(SegmentSize);
    }

    /// <summary>Gives a segment back, which its user must not touch any more.</summary>
    public void Return(byte[] bytes)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (Budget.Has((_free.Count + 1L) * SegmentSize))
            {
                _free.Add((bytes, MonotonicClock.Now));
            }
        }
    }

    /// <summary>Lets go what lies here.</summary>
    public void Clear()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _free.Clear();
        }
    }

    private void Trim()
    {
        using (Uninterruptible.Lock(_gate))
        {
            long now = MonotonicClock.Now;
            _free.RemoveAll(segment => now >= MonotonicClock.After(segment.Since, s_patience));
        }
    }

    private sealed class Trimmer(WeakReference<SegmentPool> pool)
    {
        ~Trimmer()
        {
            if (pool.TryGetTarget(out SegmentPool? target))
            {
                target.Trim();
                GC.ReRegisterForFinalize(this);
            }
        }
    }
}
