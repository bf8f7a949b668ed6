using System.Threading;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// Limits the memory, in bytes, for the captured output of all children of one engine, including results that are still
/// referenced. Thread-safe.
/// </summary>
internal sealed class CaptureBudget(long limit)
{
    private long _used;

    /// <summary>Gets the number of bytes in use.</summary>
    public long Used => Interlocked.Read(ref _used);

    /// <summary>Returns whether a number of bytes is left.</summary>
    public bool Has(long bytes) => Used + bytes <= limit;

    /// <summary>Takes bytes from the budget if enough are left.</summary>
    public bool TryTake(long bytes)
    {
        long used = Used;
        while (used + bytes <= limit)
        {
            long seen = Interlocked.CompareExchange(ref _used, used + bytes, used);
            if (seen == used)
            {
                return true;
            }

            used = seen;
        }

        return false;
    }

    /// <summary>Takes bytes from the budget, even if not enough are left.</summary>
    public void Take(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>Returns bytes to the budget.</summary>
    public void Return(long bytes) => Interlocked.Add(ref _used, -bytes);
}
