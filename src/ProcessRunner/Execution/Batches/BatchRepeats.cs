using System.Collections.Generic;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Holds the state of a command that may run more than once or whose end user code judges. Guarded by the batch's
/// gate.
/// </summary>
internal sealed class BatchRepeats
{
    private BatchRepeats(BatchRetry retry)
    {
        Retry = retry;
    }

    /// <summary>Gets how often and when the command is repeated.</summary>
    public BatchRetry Retry { get; }

    /// <summary>Gets what user code says about the attempts, or null if no user code has a say in them.</summary>
    public BatchJudgement? Judgement { get; private init; }

    /// <summary>Gets the results of the earlier, failed attempts.</summary>
    public List<ProcessResult> Failures { get; } = [];

    /// <summary>Returns the repeats of a command, or null if it runs once and its exit code decides.</summary>
    public static BatchRepeats? For(BatchExecution batch, BatchEntry entry, BatchRetry retry)
    {
        bool isJudged = entry.Item.Command.AcceptsExitCode is not null || retry.When is not null;
        return retry.Count == 0 && !isJudged
            ? null
            : new BatchRepeats(retry) { Judgement = isJudged ? new BatchJudgement(batch, entry, retry) : null };
    }
}
