namespace ProcessRunner.Streams.Capture;

/// <summary>
/// What one capture has taken from the budget. It lives as long as the bytes: results are not disposed, so its
/// finalizer gives back what the garbage collector has found unused. Small captures have none.
/// </summary>
internal sealed class CaptureLease(CaptureBudget budget)
{
    /// <summary>Below that a capture is not worth an entry in the budget.</summary>
    public const int FreeOfCharge = 64 * 1024;

    private long _taken;

    ~CaptureLease() => budget.Return(_taken);

    /// <summary>Takes more for the same capture, which has a limit of its own: it is only counted.</summary>
    public void Extend(long bytes)
    {
        budget.Take(bytes);
        _taken += bytes;
    }

    /// <summary>Takes more for the same capture, if the budget has it.</summary>
    public bool TryExtend(long bytes)
    {
        if (!budget.TryTake(bytes))
        {
            return false;
        }

        _taken += bytes;
        return true;
    }
}
