using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Runs a batch to its end and then takes all its results. Nobody reads while it runs, so that nothing waits for a
/// reader.
/// </summary>
internal static class WholeBatch
{
    /// <summary>Runs a batch on the calling thread.</summary>
    public static BatchSummary Run(
        Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions? options, CancellationToken token)
    {
        BatchExecution execution = Create(source, options, token);
        execution.Begin(isBlocking: true, CancellationToken.None);
        try
        {
            execution.AwaitEnd();
        }
        catch
        {
            execution.Dispose();
            throw;
        }

        BatchSummary summary = Summary(execution);
        if (FailureOf(execution, summary) is Exception failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }

        return summary;
    }

    /// <summary>
    /// Runs a batch without a thread that waits. The delivery thread that ends the batch completes the task.
    /// </summary>
    [SuppressMessage("Reliability", "CA2000", Justification = "The batch holds nothing once it has ended.")]
    public static Task<BatchSummary> RunAsync(
        Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions? options, CancellationToken token)
    {
        BatchExecution execution = Create(source, options, token);
        try
        {
            TaskCompletionSource<BatchSummary> ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
            execution.Begin(isBlocking: false, CancellationToken.None);
            execution.Results.WhenComplete(() => Complete(execution, ended));
            return ended.Task;
        }
        catch (Exception exception)
        {
            return Task.FromException<BatchSummary>(exception);
        }
    }

    private static BatchExecution Create(
        Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions? options, CancellationToken token) =>
        new(source, options ?? new BatchOptions(), token, isReadAtEnd: true);

    // Can be called again after a lack of memory.
    private static void Complete(BatchExecution execution, TaskCompletionSource<BatchSummary> ended)
    {
        FaultPoint.AllocateManaged();
        BatchSummary summary = Summary(execution);
        if (FailureOf(execution, summary) is Exception failure)
        {
            ended.TrySetFromTask(FailedTask.Of<BatchSummary>(failure));
        }
        else
        {
            ended.TrySetResult(summary);
        }
    }

    private static BatchSummary Summary(BatchExecution execution)
    {
        BatchProgress progress = execution.Progress();
        return new BatchSummary
        {
            Results =
            [
                .. execution.Results.ToArray().OrderBy(static result => (result.Repetition, result.Index)),
            ],
            Passed = progress.Passed,
            Flaky = progress.Flaky,
            Failed = progress.Failed,
            NotStarted = progress.NotStarted,
            StoppedBy = execution.StoppedBy,
            Duration = progress.Elapsed,
        };
    }

    private static Exception? FailureOf(BatchExecution execution, BatchSummary summary)
    {
        Exception? failure = execution.Failure;
        if (failure is not null)
        {
            SummaryOfException.Add(failure, summary);
        }

        return failure;
    }
}
