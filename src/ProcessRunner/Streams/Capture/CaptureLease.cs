using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// What one capture has taken from the budget, and where it has gone beyond it. It lives as long as the bytes: results are
/// not disposed, so its finalizer gives back what the garbage collector has found unused. Small captures have none.
/// </summary>
internal sealed class CaptureLease(SegmentPool segments)
{
    /// <summary>Below that a capture is not worth an entry in the budget.</summary>
    public const int FreeOfCharge = 64 * 1024;

    private long _taken;

    ~CaptureLease() => segments.Budget.Return(_taken);

    /// <summary>The temporary file that has the rest, or null.</summary>
    public TemporaryFile? Spilled { get; set; }

    /// <summary>Takes more for the same capture, which has a limit of its own: it is only counted.</summary>
    public void Extend(long bytes)
    {
        segments.Budget.Take(bytes);
        _taken += bytes;
    }

    /// <summary>Takes more for the same capture, if the budget has it.</summary>
    public bool TryExtend(long bytes)
    {
        if (!segments.Budget.TryTake(bytes))
        {
            return false;
        }

        _taken += bytes;
        return true;
    }

    /// <summary>Gives everything back at once. Any thread; once.</summary>
    public void Release(ref SegmentChain memory)
    {
        segments.Budget.Return(Interlocked.Exchange(ref _taken, 0));
        memory.Return(segments);
        Spilled?.Dispose();
    }
}
