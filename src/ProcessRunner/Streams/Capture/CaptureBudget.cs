using System.Threading;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// How many bytes the captured output of all children of one engine may take in memory, results that are still held
/// included. Safe from any thread.
/// </summary>
internal sealed class CaptureBudget(long limit)
{
    private long _used;

    /// <summary>The bytes in use now.</summary>
    public long Used => Interlocked.Read(ref _used);

    /// <summary>Whether there are as many left.</summary>
    public bool Has(long bytes) => Used + bytes <= limit;

    /// <summary>Takes bytes from the budget, if there are as many left.</summary>
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

    /// <summary>Takes bytes whether there are as many left or not.</summary>
    public void Take(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>Gives bytes back.</summary>
    public void Return(long bytes) => Interlocked.Add(ref _used, -bytes);
}
