using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Tells what came of a run. Immutable and safe to read from any thread.</summary>
public sealed class ProcessResult
{
    private readonly long _startTicks;
    private ExceptionDispatchInfo? _deliveryFailure;

    internal ProcessResult()
    {
    }

    /// <summary>Gets the command that ran.</summary>
    public required ProcessCommand Command { get; init; }

    /// <summary>Gets the process id that the child had. It may be another process's by now.</summary>
    public required int ProcessId { get; init; }

    /// <summary>Gets how the run ended.</summary>
    public ProcessOutcome Outcome => StoppedBy switch
    {
        StopCause.None when Status.IsLost => ProcessOutcome.StatusLost,
        StopCause.None when Status.Signal is not null => ProcessOutcome.Signaled,
        StopCause.None => ProcessOutcome.Exited,
        StopCause.Timeout or StopCause.WaitLimit or StopCause.BatchTimeout => ProcessOutcome.TimedOut,
        StopCause.IdleTimeout => ProcessOutcome.IdleTimedOut,
        StopCause.OutputLimit => ProcessOutcome.OutputLimitExceeded,
        _ => ProcessOutcome.Canceled,
    };

    /// <summary>
    /// Gets who stopped the child. The first to ask counts, if the child had not ended by then; an exceeded output limit also
    /// counts where it is seen after the end.
    /// </summary>
    public required StopCause StoppedBy { get; init; }

    /// <summary>
    /// Gets the exit code, or null if a signal ended the child or its status is lost: an exit code of 9 and a death by
    /// SIGKILL are never alike.
    /// </summary>
    public int? ExitCode => Status.Code;

    /// <summary>
    /// Gets the signal that ended the child, or null. One that .NET has no name for is its raw number, SIGKILL being
    /// <c>(PosixSignal)9</c>.
    /// </summary>
    public PosixSignal? Signal => Status.Signal;

    /// <summary>Gets the raw number of the signal that ended the child (signal(7)), or null.</summary>
    public int? SignalNumber => Status.SignalNumber;

    /// <summary>Gets whether the kernel says that the child left a core dump.</summary>
    public bool CoreDumped => Status.CoreDumped;

    /// <summary>Gets whether the child ended by itself with one of <see cref="ProcessCommand.ExitCodes"/>.</summary>
    public bool IsSuccess =>
        Outcome == ProcessOutcome.Exited && ExitCode is int code && Command.ExitCodes.Contains(code);

    /// <summary>Gets what the child wrote to its standard output, up to its end or stop.</summary>
    public required CapturedOutput StandardOutput { get; init; }

    /// <summary>Gets what the child wrote to its standard error, up to its end or stop.</summary>
    public required CapturedOutput StandardError { get; init; }

    /// <summary>Gets when the child was started, in universal time.</summary>
    public required DateTimeOffset StartTime
    {
        get => new(_startTicks, TimeSpan.Zero);
        init => _startTicks = value.UtcTicks;
    }

    /// <summary>Gets when the child's exit was seen, in universal time.</summary>
    public DateTimeOffset ExitTime => StartTime + RunTime;

    /// <summary>Gets how long the child lived, by a clock that is never set back.</summary>
    public required TimeSpan RunTime { get; init; }

    /// <summary>Gets the processor time that the child and those it waited for spent in user mode (getrusage(2)).</summary>
    public TimeSpan UserProcessorTime => Use.UserTime;

    /// <summary>Gets the processor time that the child and those it waited for spent in the kernel.</summary>
    public TimeSpan PrivilegedProcessorTime => Use.SystemTime;

    /// <summary>
    /// Gets the largest resident set of the child, in bytes. Linux counts the memory of the starting process as the
    /// child's own until it executes its program, so a small child shows at least the size of its parent then.
    /// </summary>
    public long PeakWorkingSet => Use.PeakWorkingSet;

    /// <summary>Gets how many attempts the start took: more than one if the system was short of something at first.</summary>
    public required int StartAttempts { get; init; }

    /// <summary>
    /// Gets the processes that the child left behind and that were seen alive last: under
    /// <see cref="DescendantPolicy.Report"/> always, else if they held a stream or outlived a stop.
    /// </summary>
    public required IReadOnlyList<SurvivingProcess> SurvivingDescendants { get; init; }

    internal ExceptionDispatchInfo? DeliveryFailure
    {
        get => _deliveryFailure;
        init => _deliveryFailure = value;
    }

    internal ExitStatus Status { get; init; }

    internal ResourceUse Use { get; set; }

    /// <summary>Finds the result of a run whose wait threw.</summary>
    /// <param name="exception">
    /// The <see cref="OperationCanceledException"/> of <c>RunAsync</c> or <c>WaitAsync</c>, or what a callback, a stream or an
    /// input of the user's had thrown.
    /// </param>
    /// <returns>Null if the exception came from elsewhere, or from before the start.</returns>
    /// <remarks>
    /// If user code throws one exception object in several runs, the first wait that ends throws that object, and the waits for the
    /// other runs throw copies of it, of the same type and with the same content: each of them leads to its own result.
    /// </remarks>
    public static ProcessResult? Of(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return ResultOfException.Find(exception);
    }

    /// <summary>Returns this result if the run succeeded.</summary>
    /// <exception cref="ExitCodeException">It did not.</exception>
    public ProcessResult EnsureSuccess() => IsSuccess ? this : throw new ExitCodeException(this);

    /// <summary>Returns the command and how it ended.</summary>
    public override string ToString() => $"{Command}: {Ending}";

    /// <summary>What user code threw, from which this result can be had (<see cref="Of"/>), or null.</summary>
    internal ExceptionDispatchInfo? DeliveryFailureWithResult
    {
        get
        {
            if (_deliveryFailure is not null)
            {
                ResultOfException.Claim(ref _deliveryFailure, this);
            }

            return _deliveryFailure;
        }
    }

    internal ProcessResult ThrowIfDeliveryFailed()
    {
        DeliveryFailureWithResult?.Throw();
        return this;
    }

    internal string Ending => Status switch
    {
        { Code: int code } => $"{Outcome}, exit code {code}",
        { SignalNumber: int signal } => $"{Outcome}, signal {signal}{(CoreDumped ? " (core dumped)" : "")}",
        _ => $"{Outcome}, status lost",
    };
}
