using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Represents the end of a batch that ran as a whole (<see cref="ProcessBatch.Run(IEnumerable{ProcessCommand},
/// BatchOptions, System.Threading.CancellationToken)"/>). Immutable and safe to read from any thread.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class BatchSummary
{
    /// <summary>
    /// Initializes the summary of a batch that ran to its end, with the counts of its results, for tests. The
    /// properties can be set.
    /// </summary>
    /// <param name="results">The results.</param>
    /// <exception cref="ArgumentException">The list or one of its items is null.</exception>
    [SetsRequiredMembers]
    public BatchSummary(IEnumerable<BatchResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        BatchResult[] all = [.. results];
        if (all.Contains(null))
        {
            throw new ArgumentException("A result is missing.", nameof(results));
        }

        Results = all;
        Passed = all.Count(static result => result.IsSuccess);
        Flaky = all.Count(static result => result.IsFlaky);
        Failed = all.Length - Passed;
    }

    internal BatchSummary()
    {
    }

    /// <summary>
    /// Gets the results of the commands that were started or could not be started, in the order of
    /// <see cref="BatchResult.Repetition"/> and <see cref="BatchResult.Index"/>: that of the input, or of the sorted
    /// input with <see cref="BatchOrder.LongestFirst"/>.
    /// </summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public required IReadOnlyList<BatchResult> Results
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets how many commands succeeded.</summary>
    public required long Passed { get; init; }

    /// <summary>Gets how many of the <see cref="Passed"/> commands needed more than one attempt.</summary>
    public required long Flaky { get; init; }

    /// <summary>Gets how many commands failed for good.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// Gets how many commands were read and never started because the batch was stopped. They have no result.
    /// </summary>
    public required long NotStarted { get; init; }

    /// <summary>
    /// Gets why the batch ended before its input did, or <see cref="StopCause.None"/>; see
    /// <see cref="BatchRun.StoppedBy"/>.
    /// </summary>
    public required StopCause StoppedBy { get; init; }

    /// <summary>Gets how long the batch ran.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Gets whether every command of the input succeeded.</summary>
    public bool IsSuccess => Failed == 0 && NotStarted == 0 && StoppedBy == StopCause.None;

    /// <summary>Returns the summary of a batch whose <c>Run</c> or <c>RunAsync</c> threw an exception.</summary>
    /// <param name="exception">
    /// The <see cref="OperationCanceledException"/>, or the exception of the input or of a progress report.
    /// </param>
    /// <returns>Null if the exception has another origin, or is from before the start of the batch.</returns>
    /// <exception cref="ArgumentNullException">The exception is null.</exception>
    public static BatchSummary? Of(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return SummaryOfException.Find(exception);
    }

    /// <summary>Returns this summary if every command of the input succeeded.</summary>
    /// <returns>This summary.</returns>
    /// <exception cref="AggregateException">
    /// The batch was stopped, or commands failed. The inner exceptions are those of
    /// <see cref="BatchResult.EnsureSuccess"/> of each command that failed.
    /// </exception>
    public BatchSummary EnsureSuccess() =>
        IsSuccess
            ? this
            : throw new AggregateException(
                $"The batch did not succeed: {this}.",
                Results.Select(static result => result.Failure).OfType<Exception>());

    /// <summary>Returns the counts, and the cause of a stop.</summary>
    public override string ToString() =>
        $"{Passed} passed, {Failed} failed, {NotStarted} not started"
        + (StoppedBy == StopCause.None ? "" : $", stopped by {StoppedBy}");
}
