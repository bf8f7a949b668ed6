using System;
using System.Globalization;
using ProcessRunner;

namespace Batch.Reports;

/// <summary>Represents the result of a job in the terms of this program. Immutable.</summary>
internal sealed class JobOutcome
{
    // timeout(1), env(1) and the shells use these values.
    private const int StatusOfTimeout = 124;
    private const int StatusOfNoResult = 126;
    private const int StatusOfNotFound = 127;
    private const int StatusBase = 128;

    public JobOutcome(BatchResult result) => Result = result;

    /// <summary>Gets the result from the batch.</summary>
    public BatchResult Result { get; }

    public Job Job => (Job)Result.Tag!;

    /// <summary>
    /// Gets whether this program stopped the job early, at a halt or a Ctrl-C. Such a job neither passed nor failed.
    /// </summary>
    public bool IsStopped =>
        Result.Result?.StoppedBy is StopCause.Request or StopCause.BatchFailure or StopCause.Interrupt;

    public bool IsFailed => !Result.IsSuccess && !IsStopped;

    /// <summary>Gets the number of bytes of the job's output.</summary>
    public long Bytes =>
        Result.Result is ProcessResult run ? run.StandardOutput.TotalBytes + run.StandardError.TotalBytes : 0;

    /// <summary>Gets a description of the job's end.</summary>
    public string Ending => Result switch
    {
        { Result: null } => "not started",
        { Result: { Outcome: ProcessOutcome.TimedOut } run } =>
            string.Create(CultureInfo.InvariantCulture, $"timed out after {run.RunTime.TotalSeconds:F1} s"),
        _ when IsStopped => "stopped",
        { Exception: not null } => "its output is lost",
        { Result.ExitCode: int code } => $"exit code {code}",
        { Result.SignalNumber: int signal } => $"killed by signal {signal}",
        _ => "its exit code is lost",
    };

    /// <summary>Gets the message to print with the output, or null if the output says enough.</summary>
    public string? Message => Result switch
    {
        { Exception: ProcessStartException { Step: ProcessStartStep.NotFound } missing }
            when missing.FileName.Contains(' ', StringComparison.Ordinal) =>
            $"there is no program '{missing.FileName}': a command line for a shell needs --shell",
        { Exception: Exception failure } => failure.Message,
        { Result.Outcome: ProcessOutcome.TimedOut } => Ending,
        _ => null,
    };

    /// <summary>
    /// Gets the exit code that a shell would report. It is never 0 for a job that has failed: its exit code does not
    /// count if its output is lost.
    /// </summary>
    public int Status => Result switch
    {
        { Exception: ProcessStartException { Step: ProcessStartStep.NotFound } } => StatusOfNotFound,
        { Result.Outcome: ProcessOutcome.TimedOut } => StatusOfTimeout,
        { Exception: not null } => StatusOfNoResult,
        { Result.ExitCode: int code } => code,
        { Result.SignalNumber: int signal } => StatusBase + signal,
        _ => StatusOfNoResult,
    };
}
