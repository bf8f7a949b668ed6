using System.Globalization;
using ProcessRunner;

namespace Batch.Reports;

/// <summary>What came of a job, in the words of this program. Immutable.</summary>
internal sealed class JobOutcome
{
    // As timeout(1), env(1) and the shells have them.
    private const int StatusOfTimeout = 124;
    private const int StatusOfNotExecutable = 126;
    private const int StatusOfNotFound = 127;
    private const int StatusBase = 128;

    public JobOutcome(BatchResult result) => Result = result;

    /// <summary>What the batch says.</summary>
    public BatchResult Result { get; }

    public Job Job => (Job)Result.Tag!;

    /// <summary>Whether it is we who ended the job before its time, at a halt or a Ctrl-C: it neither passed nor failed.</summary>
    public bool IsStopped => Result.Result is { Outcome: ProcessOutcome.Canceled };

    public bool IsFailed => !Result.IsSuccess && !IsStopped;

    /// <summary>How many bytes its output takes.</summary>
    public long Bytes => Result.Result is ProcessResult run ? run.StandardOutput.TotalBytes + run.StandardError.TotalBytes : 0;

    /// <summary>How it ended.</summary>
    public string Ending => Result.Result switch
    {
        null => "not started",
        { Outcome: ProcessOutcome.TimedOut } run =>
            string.Create(CultureInfo.InvariantCulture, $"timed out after {run.RunTime.TotalSeconds:F1} s"),
        { Outcome: ProcessOutcome.Canceled } => "stopped",
        { ExitCode: int code } => $"exit code {code}",
        { SignalNumber: int signal } => $"killed by signal {signal}",
        _ => "its exit code is lost",
    };

    /// <summary>What is to be said where its output stands, or null if its output says enough.</summary>
    public string? Message => Result.Exception is not null
        ? Result.Exception.Message
        : Result.Result is { Outcome: ProcessOutcome.TimedOut } ? Ending : null;

    /// <summary>The exit code that a shell would make of it.</summary>
    public int Status => Result.Result switch
    {
        null => Result.Exception is ProcessStartException { Step: ProcessStartStep.NotFound } ? StatusOfNotFound : StatusOfNotExecutable,
        { Outcome: ProcessOutcome.TimedOut } => StatusOfTimeout,
        { ExitCode: int code } => code,
        { SignalNumber: int signal } => StatusBase + signal,
        _ => StatusOfNotExecutable,
    };
}
