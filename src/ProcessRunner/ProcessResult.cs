using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Represents the result of a run. Immutable and safe to read from any thread.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class ProcessResult
{
    private readonly long _startTicks;
    private readonly ResultExtras? _extras;
    private ExceptionDispatchInfo? _deliveryFailure;

    /// <summary>
    /// Initializes the result of a child that exited by itself, for tests. The other properties can be set.
    /// </summary>
    /// <param name="command">The command that ran.</param>
    /// <param name="exitCode">The exit code.</param>
    /// <param name="standardOutput">What the child wrote to its standard output.</param>
    /// <param name="standardError">What the child wrote to its standard error.</param>
    /// <exception cref="ArgumentNullException">The command or a text is null.</exception>
    [SetsRequiredMembers]
    public ProcessResult(
        ProcessCommand command, int exitCode = 0, string standardOutput = "", string standardError = "")
        : this(command, ExitStatus.Exited(exitCode), standardOutput, standardError)
    {
    }

    /// <summary>
    /// Initializes the result of a child that a signal ended, for tests. The other properties can be set.
    /// </summary>
    /// <param name="command">The command that ran.</param>
    /// <param name="signal">The signal. A raw number may be cast.</param>
    /// <param name="standardOutput">What the child wrote to its standard output.</param>
    /// <param name="standardError">What the child wrote to its standard error.</param>
    /// <exception cref="ArgumentNullException">The command or a text is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    [SetsRequiredMembers]
    public ProcessResult(
        ProcessCommand command, PosixSignal signal, string standardOutput = "", string standardError = "")
        : this(
            command,
            ExitStatus.Signaled(SignalArgument.Validated(signal, nameof(signal))),
            standardOutput,
            standardError)
    {
    }

    [SetsRequiredMembers]
    private ProcessResult(ProcessCommand command, ExitStatus status, string standardOutput, string standardError)
    {
        ArgumentNullException.ThrowIfNull(command);
        ArgumentNullException.ThrowIfNull(standardOutput);
        ArgumentNullException.ThrowIfNull(standardError);
        Command = command;
        Status = status;
        StandardOutput = new CapturedOutput(standardOutput, command.DecodingOf(ChildOutput.Output).Encoding);
        StandardError = new CapturedOutput(standardError, command.DecodingOf(ChildOutput.Error).Encoding);
        StartTime = Surroundings.UtcNow;
        StartAttempts = 1;
        SurvivingDescendants = [];
    }

    internal ProcessResult()
    {
    }

    /// <summary>Gets the command that ran.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public required ProcessCommand Command
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets the process id that the child had. Another process may have the same id by now.</summary>
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
    /// Gets what stopped the child. The first cause counts if the child had not ended by then. An exceeded output limit
    /// also counts if it is seen after the end.
    /// </summary>
    public required StopCause StoppedBy { get; init; }

    /// <summary>
    /// Gets the exit code, or null if a signal ended the child or its status is lost. An exit code of 9 and a death by
    /// SIGKILL are therefore always distinct.
    /// </summary>
    /// <value>
    /// With the portable backend on Unix, a signal that no stop or limit has sent is the code 128 plus its number. On
    /// Windows there are no signals: a killed child has the code -1.
    /// </value>
    public int? ExitCode => Status.Code;

    /// <summary>
    /// Gets the signal that ended the child, or null. A signal for which .NET has no name is its raw number: SIGKILL is
    /// <c>(PosixSignal)9</c>.
    /// </summary>
    public PosixSignal? Signal => Status.Signal;

    /// <summary>Gets the raw number of the signal that ended the child (signal(7)), or null.</summary>
    public int? SignalNumber => Status.SignalNumber;

    /// <summary>Gets whether the kernel reported a core dump of the child.</summary>
    public bool CoreDumped => Status.CoreDumped;

    /// <summary>
    /// Gets whether the child ended by itself with one of <see cref="ProcessCommand.ExitCodes"/> or a code that
    /// <see cref="ProcessCommand.AcceptsExitCode"/> accepts.
    /// </summary>
    /// <exception cref="Exception"><see cref="ProcessCommand.AcceptsExitCode"/> threw this exception.</exception>
    public bool IsSuccess =>
        Outcome == ProcessOutcome.Exited
        && ExitCode is int code
        && (Command.ExitCodes.Contains(code) || Command.AcceptsExitCode?.Invoke(code) == true);

    /// <summary>Gets the bytes that the child wrote to its standard output, up to its end or stop.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public required CapturedOutput StandardOutput
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets the bytes that the child wrote to its standard error, up to its end or stop.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public required CapturedOutput StandardError
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets the bytes that the child wrote to its channels, by the numbers of those.</summary>
    /// <value>Empty for a command without <see cref="ProcessCommand.Channels"/>.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IReadOnlyDictionary<int, CapturedOutput> Channels
    {
        get => _extras?.Channels ?? ValueMap<int, CapturedOutput>.Empty;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            _extras = value.Count == 0 ? _extras : (_extras ?? new ResultExtras()) with { Channels = value };
        }
    }

    /// <summary>Gets when the child was started, in UTC.</summary>
    public required DateTimeOffset StartTime
    {
        get => new(_startTicks, TimeSpan.Zero);
        init => _startTicks = value.UtcTicks;
    }

    /// <summary>Gets when the child's exit was seen, in UTC.</summary>
    public DateTimeOffset ExitTime => StartTime + RunTime;

    /// <summary>Gets how long the child lived, by a clock that is never set back.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public required TimeSpan RunTime
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            field = value;
        }
    }

    /// <summary>
    /// Gets the processor time in user mode: on Linux of the child and of the processes that it waited for
    /// (getrusage(2)), on Windows of the child and all its descendants.
    /// </summary>
    /// <value>With the portable backend, of the child alone on Windows, and zero elsewhere.</value>
    public TimeSpan UserProcessorTime
    {
        get => Use.UserTime;
        init => Use = Use with { UserTime = value };
    }

    /// <summary>
    /// Gets the processor time in the kernel, of the same processes as <see cref="UserProcessorTime"/>.
    /// </summary>
    /// <value>With the portable backend, of the child alone on Windows, and zero elsewhere.</value>
    public TimeSpan PrivilegedProcessorTime
    {
        get => Use.SystemTime;
        init => Use = Use with { SystemTime = value };
    }

    /// <summary>Gets the largest resident set of the child alone, in bytes.</summary>
    /// <value>
    /// Zero with the portable backend. Linux counts the memory of the starting process as the child's own until the
    /// child executes its program. So the value is never less than the peak of this process until then, even if this
    /// process has released the memory since. Only a greater value is the child's own.
    /// </value>
    public long PeakWorkingSet
    {
        get => Use.PeakWorkingSet;
        init => Use = Use with { PeakWorkingSet = value };
    }

    /// <summary>
    /// Gets how many attempts the start took: more than one if the system lacked a resource at first.
    /// </summary>
    public required int StartAttempts { get; init; }

    /// <summary>
    /// Gets the processes that the child left behind and that were alive at the last look.
    /// <see cref="DescendantPolicy.Report"/> fills the list after every run; otherwise it is filled if they held a
    /// stream open or outlived a stop.
    /// </summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public required IReadOnlyList<SurvivingProcess> SurvivingDescendants
    {
        get => _extras?.Survivors ?? [];
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            _extras = value.Count == 0 ? _extras : (_extras ?? new ResultExtras()) with { Survivors = value };
        }
    }

    /// <summary>
    /// Gets the processes that the child left behind and that its <see cref="ProcessCommand.Descendants"/> ended: those
    /// that were alive at a look after its exit. Members of its group that a kill ended together with it are not among
    /// them.
    /// </summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IReadOnlyList<SurvivingProcess> KilledDescendants
    {
        get => _extras?.Killed ?? [];
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            _extras = value.Count == 0 ? _extras : (_extras ?? new ResultExtras()) with { Killed = value };
        }
    }

    internal ExceptionDispatchInfo? DeliveryFailure
    {
        get => _deliveryFailure;
        init => _deliveryFailure = value;
    }

    internal ExitStatus Status { get; init; }

    internal ResourceUse Use { get; set; }

    /// <summary>Returns the result of a run whose wait threw an exception.</summary>
    /// <param name="exception">
    /// The exception: the <see cref="OperationCanceledException"/> of a <c>Run</c> or <c>RunAsync</c> whose token
    /// stopped the child; the exception of a callback, stream or input of the caller; or one of the library for output
    /// that it could not deliver or keep, such as the <see cref="TimeoutException"/> of an
    /// <see cref="OutputTarget.Tee"/>, the <see cref="System.IO.IOException"/> of a temporary file, and an
    /// <see cref="OutOfMemoryException"/>.
    /// </param>
    /// <returns>
    /// Null if the exception has another origin, or is from before the start. A canceled <c>WaitAsync</c> has no
    /// result: the child continues.
    /// </returns>
    /// <exception cref="ArgumentNullException">The exception is null.</exception>
    /// <remarks>
    /// If user code throws the same exception object in several runs, the first wait that ends throws that object. The
    /// waits for the other runs throw copies of the same type and content, so that each of them leads to its own
    /// result.
    /// </remarks>
    public static ProcessResult? Of(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return ResultOfException.Find(exception);
    }

    /// <summary>Returns this result if the run succeeded.</summary>
    /// <returns>This result.</returns>
    /// <exception cref="ExitCodeException">The run did not succeed.</exception>
    public ProcessResult EnsureSuccess() => IsSuccess ? this : throw new ExitCodeException(this);

    /// <summary>Returns the command and its outcome.</summary>
    public override string ToString() => $"{Command}: {Ending}";

    /// <summary>
    /// Returns the exception that user code threw, or null. It leads to this result from now on (<see cref="Of"/>).
    /// </summary>
    internal ExceptionDispatchInfo? ClaimDeliveryFailure()
    {
        if (_deliveryFailure is not null)
        {
            ResultOfException.Claim(ref _deliveryFailure, this);
        }

        return _deliveryFailure;
    }

    internal ProcessResult ThrowIfDeliveryFailed()
    {
        ClaimDeliveryFailure()?.Throw();
        return this;
    }

    internal string Ending => Status switch
    {
        { Code: int code, Meaning: string meaning } => $"{Told}, exit code {code} (0x{code:X8}, {meaning})",
        { Code: int code } => $"{Told}, exit code {code}",
        { SignalNumber: int signal } => $"{Told}, signal {SignalName.Of(signal)}{(CoreDumped ? " (core dumped)" : "")}",
        _ => $"{Told}, status lost",
    };

    /// <summary>Gets the limit that stopped the child, if it is not that of the command.</summary>
    internal TimeSpan? OtherLimit
    {
        get => _extras?.Limit;
        init => _extras = value is null ? _extras : (_extras ?? new ResultExtras()) with { Limit = value };
    }

    // A limit is shown with its value.
    private string Told => (StoppedBy, OtherLimit) switch
    {
        (StopCause.Timeout, TimeSpan limit) => $"{Outcome} after {limit} (the limit of the pipeline)",
        (StopCause.WaitLimit, TimeSpan limit) => $"{Outcome} after {limit} (the limit of the wait)",
        (StopCause.BatchTimeout, TimeSpan limit) => $"{Outcome} after {limit} (the limit of the batch)",
        (StopCause.Timeout, null) when Command.Timeout >= TimeSpan.Zero => $"{Outcome} after {Command.Timeout}",
        (StopCause.IdleTimeout, _) => $"{Outcome} after {Command.IdleTimeout} of silence",
        _ => $"{Outcome}",
    };
}
