using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using System.Threading.Tasks;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Represents a batch to its caller, while it runs and after it has ended. Every member is safe from any thread.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public abstract class BatchRun
{
    private protected BatchRun(BatchExecution execution) => Execution = execution;

    /// <summary>
    /// Stops a batch whose enumeration was begun and never disposed, as by code that calls <c>MoveNext</c> itself.
    /// Otherwise the batch would wait for its reader forever. The enumerator keeps this object alive.
    /// </summary>
    ~BatchRun()
    {
        try
        {
            Execution.StopForgotten();
        }
        catch (OutOfMemoryException)
        {
            // The next collection tries again.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>
    /// Gets why the batch ended before its input did, or <see cref="StopCause.None"/>:
    /// <see cref="StopCause.BatchTimeout"/>, <see cref="StopCause.BatchFailure"/>, <see cref="StopCause.Interrupt"/>,
    /// <see cref="StopCause.CancellationToken"/>, <see cref="StopCause.EngineDispose"/>,
    /// <see cref="StopCause.Request"/> (also for <see cref="StopStarting"/>) or, if the loop left the enumeration,
    /// <see cref="StopCause.Dispose"/>.
    /// </summary>
    public StopCause StoppedBy => Execution.StoppedBy;

    /// <summary>Gets the progress of the batch.</summary>
    public BatchProgress Progress => Execution.Progress();

    /// <summary>Returns the commands that are running, the longest first.</summary>
    public IReadOnlyList<RunningItem> RunningItems() => Execution.Running();

    /// <summary>
    /// Starts nothing further, stops the running commands by their stop signal and grace period, and waits until they
    /// are gone. The enumeration yields their results and ends. A callback, the input or a progress report of the batch
    /// calls <see cref="RequestStop"/> instead, because the batch waits for them.
    /// </summary>
    /// <exception cref="System.Threading.ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="System.Threading.Thread.Interrupt"/>). The batch is being
    /// stopped.
    /// </exception>
    public void Stop() => Execution.StopAndWait();

    /// <summary>Stops the batch as <see cref="Stop"/> does, without a thread that waits.</summary>
    /// <returns>
    /// A task that completes once the batch has ended; at once for a batch that has not begun.
    /// </returns>
    public Task StopAsync() => Execution.StopAndWaitAsync();

    /// <summary>
    /// Starts nothing further, and stops the running commands by their stop signal and grace period. The enumeration
    /// yields their results and ends. Does not wait.
    /// </summary>
    public void RequestStop() => Execution.Stop(StopCause.Request, isKill: false);

    /// <summary>
    /// Starts nothing further. The enumeration yields the results of the running commands and ends. Does not wait.
    /// </summary>
    public void StopStarting() => Execution.Stop(StopCause.Request, isKill: false, stopsRunning: false);

    /// <summary>Returns the progress.</summary>
    public override string ToString() => $"{Progress}";

    internal BatchExecution Execution { get; }

    private protected IEnumerator<BatchResult> Enumerate()
    {
        Execution.Begin(isBlocking: true);
        try
        {
            while (Execution.Results.Read() is BatchResult result)
            {
                yield return result;
            }
        }
        finally
        {
            Execution.Dispose();
        }

        if (Execution.Failure is Exception failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }
}
