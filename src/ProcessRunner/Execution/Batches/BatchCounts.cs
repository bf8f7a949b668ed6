namespace ProcessRunner.Execution.Batches;

/// <summary>What a batch has counted so far. Not thread-safe.</summary>
internal sealed class BatchCounts
{
    public long Read { get; private set; }

    public long NotStarted { get; private set; }

    public long Passed { get; private set; }

    public long Flaky { get; private set; }

    public long Failed { get; private set; }

    public long Retried { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>A command has come from the input.</summary>
    public void AddRead() => Read++;

    /// <summary>A command will never be started.</summary>
    public void AddNotStarted() => NotStarted++;

    /// <summary>An attempt has ended.</summary>
    public void AddAttempt(ProcessResult result) =>
        Bytes += result.StandardOutput.TotalBytes + result.StandardError.TotalBytes;

    /// <summary>An attempt that has failed is followed by another.</summary>
    public void AddRetry() => Retried++;

    /// <summary>That other attempt will not be made.</summary>
    public void TakeBackRetry() => Retried--;

    /// <summary>A command has come to its end.</summary>
    public void Add(BatchResult result)
    {
        Passed += result.IsSuccess ? 1 : 0;
        Flaky += result.IsFlaky ? 1 : 0;
        Failed += result.IsSuccess ? 0 : 1;
    }
}
