using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>A batch as its caller sees it while it runs and after it has ended. Every member is safe from any thread.</summary>
public abstract class BatchRun
{
    private protected BatchRun(BatchExecution execution) => Execution = execution;

    /// <summary>
    /// Gets why the batch ended before its input did, or <see cref="StopCause.None"/>: <see cref="StopCause.BatchTimeout"/>,
    /// <see cref="StopCause.BatchFailure"/>, <see cref="StopCause.Interrupt"/>, <see cref="StopCause.CancellationToken"/>,
    /// <see cref="StopCause.Request"/> or, if the enumeration was left, <see cref="StopCause.Dispose"/>.
    /// </summary>
    public StopCause StoppedBy => Execution.StoppedBy;

    /// <summary>Gets how far the batch has come.</summary>
    public BatchProgress Progress => Execution.Progress();

    /// <summary>
    /// Starts nothing more, and stops what runs by its stop signal and grace; the enumeration yields what came of that,
    /// and ends. Does not wait.
    /// </summary>
    public void Stop() => Execution.Stop(StopCause.Request, isKill: false);

    /// <summary>Starts nothing more; the enumeration yields what comes of those that run, and ends. Does not wait.</summary>
    public void StopStarting() => Execution.Stop(StopCause.Request, isKill: false, stopsRunning: false);

    private protected BatchExecution Execution { get; }
}
