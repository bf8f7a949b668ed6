using System;
using System.Collections.Generic;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Represents one command of a batch on its way from the input to its result. Guarded by the batch's gate.
/// </summary>
internal sealed class BatchEntry : IRunObserver
{
    private readonly BatchExecution _batch;

    // One field for both, because there are many entries.
    private object? _lifeOrPlan;

    public BatchEntry(BatchExecution batch, BatchItem item, BatchRetry retry, long index, int repetition)
    {
        _batch = batch;
        Item = item;
        Index = index;
        Repetition = repetition;
        Repeats = BatchRepeats.For(batch, this, retry);
    }

    /// <summary>Gets the item to run.</summary>
    public BatchItem Item { get; }

    /// <summary>
    /// Gets the earlier attempts and what decides about another one, or null if the command runs once.
    /// </summary>
    public BatchRepeats? Repeats { get; }

    /// <summary>Gets the item's index in the input.</summary>
    public long Index { get; }

    /// <summary>Gets the repetition of the input that the item belongs to.</summary>
    public int Repetition { get; }

    /// <summary>
    /// Gets whether an earlier command of the batch reads the same input, which can be read only once.
    /// </summary>
    public bool SharesInput { get; init; }

    /// <summary>Gets or sets the place in the order of the starts. A retry keeps it.</summary>
    public long Order { get; set; }

    /// <summary>Gets or sets the slot of the current or last attempt.</summary>
    public int Slot { get; set; }

    /// <summary>Gets or sets the number of the current or last attempt, starting at 1.</summary>
    public int Attempt { get; set; }

    /// <summary>Gets or sets the number of starts of this attempt that failed for lack of a resource.</summary>
    public int FailedStarts { get; set; }

    /// <summary>Gets or sets the instant at which this attempt was started.</summary>
    public long StartedAt { get; set; }

    /// <summary>Gets or sets the run, from before its start until its end.</summary>
    public ChildLife? Life
    {
        get => _lifeOrPlan as ChildLife;
        set => _lifeOrPlan = value;
    }

    /// <summary>
    /// Gets or sets the plan of a start that failed for lack of a resource, until the next one has a run.
    /// </summary>
    public ILaunchPlan? Plan
    {
        get => _lifeOrPlan as ILaunchPlan;
        set => _lifeOrPlan = value;
    }

    /// <summary>Gets or sets the index among the running commands. Owned by <see cref="RunningEntries"/>.</summary>
    public int RunningIndex { get; set; } = -1;

    /// <summary>
    /// Gets or sets whether the process has ended, and user code judges its result. Owned by
    /// <see cref="RunningEntries"/>.
    /// </summary>
    public bool IsJudged { get; set; }

    /// <summary>
    /// Gets or sets the result of an attempt that has ended, or the exception that prevented its start, until its
    /// consequences are settled. Owned by <see cref="UnsettledEntries"/>.
    /// </summary>
    public object? Outcome { get; set; }

    /// <summary>Gets or sets the next entry to be settled. Owned by <see cref="UnsettledEntries"/>.</summary>
    public BatchEntry? NextUnsettled { get; set; }

    /// <summary>Returns whether an attempt succeeded. Calls no user code.</summary>
    public bool IsSuccess(ProcessResult result) =>
        Repeats?.Judgement?.IsAccepted ?? result.IsSuccess;

    /// <summary>Returns whether an attempt failed, and another one is to follow. Calls no user code.</summary>
    public bool IsToRepeat(ProcessResult result) =>
        result is { DeliveryFailure: null, StoppedBy: not StopCause.Request }
        && Repeats is { Judgement: null or { IsRepeatable: true } } repeats
        && !IsSuccess(result)
        && repeats.Failures.Count < repeats.Retry.Count;

    /// <summary>Returns the result of the command, whose last attempt has ended or could not begin.</summary>
    public BatchResult ToResult()
    {
        ProcessResult? result = Outcome as ProcessResult;
        return new BatchResult
        {
            Item = Item,
            Index = Index,
            Repetition = Repetition,
            Result = result,
            Exception = Outcome as Exception
                ?? result?.ClaimDeliveryFailure()?.SourceException
                ?? Repeats?.Judgement?.Failure,
            EarlierAttempts = Repeats?.Failures ?? (IReadOnlyList<ProcessResult>)[],
            Slot = Slot,
        };
    }

    /// <summary>Returns the command while it runs.</summary>
    /// <param name="runTime">How long it has been running.</param>
    public RunningItem ToRunningItem(TimeSpan runTime) =>
        new(Item, Index, Slot, runTime) { ProcessId = Life?.ProcessId ?? 0, Life = Life };

    ExecutionContext? IRunObserver.Context => _batch.Context;

    void IRunObserver.OnEnded(ProcessResult result) => _batch.OnEnded(this, result);
}
