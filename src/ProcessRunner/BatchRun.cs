using System;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Represents a batch to its caller, while it runs and after it has ended. Every member is safe from any thread.
/// </summary>
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
    /// <see cref="StopCause.CancellationToken"/>, <see cref="StopCause.Request"/> or, if the loop left the enumeration,
    /// <see cref="StopCause.Dispose"/>.
    /// </summary>
    public StopCause StoppedBy => Execution.StoppedBy;

    /// <summary>Gets the progress of the batch.</summary>
    public BatchProgress Progress => Execution.Progress();

    /// <summary>
    /// Starts nothing further, and stops the running commands by their stop signal and grace period. The enumeration
    /// yields their results and ends. Does not wait.
    /// </summary>
    public void Stop() => Execution.Stop(StopCause.Request, isKill: false);

    /// <summary>
    /// Starts nothing further. The enumeration yields the results of the running commands and ends. Does not wait.
    /// </summary>
    public void StopStarting() => Execution.Stop(StopCause.Request, isKill: false, stopsRunning: false);

    /// <summary>Returns the progress.</summary>
    public override string ToString() => $"{Progress}";

    internal BatchExecution Execution { get; }
}
