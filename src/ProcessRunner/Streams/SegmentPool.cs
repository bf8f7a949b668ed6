using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Capture;

namespace ProcessRunner.Streams;

/// <summary>
/// Keeps the large segments of released captures for reuse: memory that this process touches for the first time costs
/// far more than the bytes written to it. Thread-safe.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the list and is the innermost lock. The pool and the captures together stay within the budget. A
/// segment that was not used for some seconds is released at the next full garbage collection. Segments never return
/// automatically: only the user knows when a capture is no longer read.
/// </remarks>
internal sealed class SegmentPool
{
    /// <summary>
    /// The size of a segment in bytes. Segments lie on the large object heap, where the garbage collector does not copy
    /// them when it promotes them.
    /// </summary>
    public const int SegmentSize = 1024 * 1024;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private readonly List<(byte[] Bytes, long Since)> _free = [];

    public SegmentPool(CaptureBudget budget)
    {
        Budget = budget;

        // Not referenced, so that every full collection finds it unused.
        _ = new Trimmer(new WeakReference<SegmentPool>(this));
    }

    /// <summary>Gets the budget that the captures and this pool share.</summary>
    public CaptureBudget Budget { get; }

    /// <summary>Gets the number of segments in the pool.</summary>
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

    /// <summary>Takes a segment: the most recently used one, or else a new one.</summary>
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

    /// <summary>Returns a segment to the pool. The caller must not touch it after this call.</summary>
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

    /// <summary>Releases all segments in the pool.</summary>
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
