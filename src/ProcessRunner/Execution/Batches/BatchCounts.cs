using System;

namespace ProcessRunner.Execution.Batches;

/// <summary>Counts the events of a batch. Not thread-safe.</summary>
internal sealed class BatchCounts
{
    private long _sorted;

    public long Read => _sorted + Unsorted;

    /// <summary>Gets the number of commands that were read and have not been sorted yet.</summary>
    public long Unsorted { get; private set; }

    public long NotStarted { get; private set; }

    public long Passed { get; private set; }

    public long Flaky { get; private set; }

    public long Failed { get; private set; }

    public long Retried { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>
    /// Counts a command that was read from the input. If it was counted as unsorted before, it is so no longer.
    /// </summary>
    public void AddRead()
    {
        _sorted++;
        Unsorted = Math.Max(0, Unsorted - 1);
    }

    /// <summary>Counts a command that was read from the input and is to be sorted.</summary>
    public void AddUnsorted() => Unsorted++;

    /// <summary>Counts the commands that have not been sorted as commands that will never be started.</summary>
    public void DropUnsorted()
    {
        _sorted += Unsorted;
        NotStarted += Unsorted;
        Unsorted = 0;
    }

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
