using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// Represents the bytes that one capture has taken from the budget, and the file that holds the rest. It lives as long
/// as the bytes: results are not disposed, so its finalizer returns the bytes that the garbage collector has found
/// unused. Small captures have no lease.
/// </summary>
internal sealed class CaptureLease(SegmentPool segments)
{
    /// <summary>The size in bytes below which a capture does not count towards the budget.</summary>
    public const int FreeOfCharge = 64 * 1024;

    private long _taken;

    ~CaptureLease() => segments.Budget.Return(_taken);

    /// <summary>Gets the number of bytes taken and not returned.</summary>
    public long Taken => _taken;

    /// <summary>Gets or sets the temporary file that holds the rest, or null.</summary>
    public TemporaryFile? Spilled { get; set; }

    /// <summary>
    /// Takes more bytes for the same capture. They are only counted, because the capture has a limit of its own.
    /// </summary>
    public void Extend(long bytes)
    {
        segments.Budget.Take(bytes);
        _taken += bytes;
    }

    /// <summary>Takes more bytes for the same capture if the budget allows.</summary>
    public bool TryExtend(long bytes)
    {
        if (!segments.Budget.TryTake(bytes))
        {
            return false;
        }

        _taken += bytes;
        return true;
    }

    /// <summary>Returns everything at once. Can be called once, from any thread.</summary>
    public void Release(ref SegmentChain memory)
    {
        segments.Budget.Return(Interlocked.Exchange(ref _taken, 0));
        memory.Return(segments);
        Spilled?.Dispose();
    }
}
