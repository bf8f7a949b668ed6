namespace ProcessRunner.Execution.Batches;

/// <summary>Counts the events of a batch. Not thread-safe.</summary>
internal sealed class BatchCounts
{
    public long Read { get; private set; }

    public long NotStarted { get; private set; }

    public long Passed { get; private set; }

    public long Flaky { get; private set; }

    public long Failed { get; private set; }

    public long Retried { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Counts a command that was read from the input.</summary>
    public void AddRead() => Read++;

    /// <summary>Counts a command that will never be started.</summary>
    public void AddNotStarted() => NotStarted++;

    /// <summary>Counts the output of an attempt that has ended.</summary>
    public void AddAttempt(ProcessResult result) =>
        Bytes += result.StandardOutput.TotalBytes + result.StandardError.TotalBytes;

    /// <summary>Counts the retry that follows a failed attempt.</summary>
    public void AddRetry() => Retried++;

    /// <summary>Reverts the count of a retry that will not be made.</summary>
    public void TakeBackRetry() => Retried--;

    /// <summary>Counts a command that has reached its final result.</summary>
    public void Add(bool isSuccess, bool isFlaky)
    {
        Passed += isSuccess ? 1 : 0;
        Flaky += isFlaky ? 1 : 0;
        Failed += isSuccess ? 0 : 1;
    }
}
