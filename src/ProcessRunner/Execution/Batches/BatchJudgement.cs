using System;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Represents what user code says about the attempts of one command: whether it accepts the exit code
/// (<see cref="ProcessCommand.AcceptsExitCode"/>), and whether it allows another attempt
/// (<see cref="BatchRetry.When"/>). Only a command with such code has one.
/// </summary>
/// <remarks>
/// The thread that sees the end of an attempt poses the question, and one delivery thread answers it. The queue of the
/// delivery threads, and then the gate of the batch, order their accesses. There is one attempt at a time.
/// </remarks>
internal sealed class BatchJudgement
{
    private readonly BatchRetry _retry;
    private ProcessResult? _asked;

    /// <param name="batch">The batch, which goes on with each answer.</param>
    /// <param name="entry">The command.</param>
    /// <param name="retry">How often and when the command is repeated.</param>
    public BatchJudgement(BatchExecution batch, BatchEntry entry, BatchRetry retry)
    {
        _retry = retry;
        Job = new DeliveryJob(() => batch.OnJudged(entry, Answer()), batch.Context);
    }

    /// <summary>Gets the job that answers a question.</summary>
    public DeliveryJob Job { get; }

    /// <summary>Gets whether user code accepts the last attempt.</summary>
    public bool IsAccepted { get; private set; }

    /// <summary>Gets whether user code allows another attempt.</summary>
    public bool IsRepeatable { get; private set; }

    /// <summary>Gets the exception that user code threw about the last attempt, or null.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>Poses the question about an attempt that has ended. The job is to be posted.</summary>
    public void Ask(ProcessResult result) => _asked = result;

    private ProcessResult Answer()
    {
        ProcessResult result = _asked!;
        _asked = null;
        IsAccepted = IsRepeatable = false;
        try
        {
            IsAccepted = result.IsSuccess;
            IsRepeatable = !IsAccepted && (_retry.When?.Invoke(result) ?? true);
        }
        catch (Exception exception)
        {
            Failure = exception;
        }

        return result;
    }
}
