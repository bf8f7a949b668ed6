using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Describes how a batch runs. Immutable.</summary>
public sealed record BatchOptions
{
    private static readonly ImmutableDictionary<string, int> s_noGroups = ImmutableDictionary<string, int>.Empty;

    private readonly int _maxConcurrency = System.Environment.ProcessorCount;
    private readonly IReadOnlyDictionary<string, int> _groupLimits = s_noGroups;
    private readonly string? _slotVariable = "PROCESSRUNNER_SLOT";
    private readonly BatchRetry _retry = new();
    private readonly TimeSpan _timeout = System.Threading.Timeout.InfiniteTimeSpan;
    private readonly int _maxWaiting = 65_536;
    private readonly int _repeatCount = 1;
    private readonly TimeSpan _repeatFor;
    private readonly long _minAvailableMemory;
    private readonly TimeSpan _progressInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Gets how many slots there are: the number of commands that run at once, unless one takes several.</summary>
    /// <value>
    /// The number of processors by default; 1 or more. Fewer run while the limit of descriptors or processes does not
    /// let more: such a limit delays commands, it does not fail them.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">It is less than 1.</exception>
    public int MaxConcurrency
    {
        get => _maxConcurrency;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxConcurrency = value;
        }
    }

    /// <summary>Gets how many slots the commands of each <see cref="BatchItem.Group"/> may take together.</summary>
    /// <value>Empty by default: a group that is not named has no limit of its own. Each limit is 1 or more.</value>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A limit is less than 1.</exception>
    public IReadOnlyDictionary<string, int> GroupLimits
    {
        get => _groupLimits;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            foreach (int limit in value.Values)
            {
                ArgumentOutOfRangeException.ThrowIfLessThan(limit, 1, nameof(value));
            }

            _groupLimits = value.ToImmutableDictionary();
        }
    }

    /// <summary>
    /// Gets the environment variable in which each child finds its slot number, which no other live child of the batch
    /// has: between 0 and <see cref="MaxConcurrency"/>, the smallest that is free.
    /// </summary>
    /// <value><c>PROCESSRUNNER_SLOT</c> by default; null for none.</value>
    /// <exception cref="ArgumentException">It is empty, or holds '=' or a NUL character.</exception>
    public string? SlotVariable
    {
        get => _slotVariable;
        init => _slotVariable = value is null || (value.Length > 0 && value.AsSpan().IndexOfAny('=', '\0') < 0)
            ? value
            : throw new ArgumentException($"'{value}' cannot name an environment variable.", nameof(value));
    }

    /// <summary>
    /// Gets how many commands may be read and wait, which bounds the memory for them: some 200 bytes each, beside the command
    /// itself. The input is read 512 commands ahead, not counting those that wait for their group or their next attempt: however
    /// many these are, free slots get what comes behind them, up to this limit.
    /// </summary>
    /// <value>
    /// 65,536 by default; 1 or more. <see cref="BatchOrder.LongestFirst"/> reads the whole input nevertheless, and a command that
    /// has been started once waits for its next attempt in any case.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">It is less than 1.</exception>
    public int MaxWaiting
    {
        get => _maxWaiting;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxWaiting = value;
        }
    }

    /// <summary>Gets the order of the starts.</summary>
    /// <value><see cref="BatchOrder.AsGiven"/> by default.</value>
    public BatchOrder Order { get; init; }

    /// <summary>Gets what happens when a command has failed for good.</summary>
    /// <value><see cref="BatchFailureAction.Continue"/> by default.</value>
    public BatchFailureAction OnFirstFailure { get; init; }

    /// <summary>Gets how often and when a command that fails is run again.</summary>
    /// <value>
    /// Never by default. A command that reads an <see cref="InputSource.FromStream"/>, which a second run would find read, is not run
    /// where there are retries or repetitions: its result has an <see cref="InvalidOperationException"/>.
    /// </value>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public BatchRetry Retry
    {
        get => _retry;
        init => _retry = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets how long the whole batch may take.</summary>
    /// <value>
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>, no limit, by default; zero or more. At the limit nothing
    /// more is started, and what runs is stopped and says <see cref="ProcessOutcome.TimedOut"/>.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public TimeSpan Timeout
    {
        get => _timeout;
        init => _timeout = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>Gets how many times the whole input is run, one repetition behind the other.</summary>
    /// <value>1 by default; 1 or more. The input is enumerated anew each time. As to streams see <see cref="Retry"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is less than 1.</exception>
    public int RepeatCount
    {
        get => _repeatCount;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _repeatCount = value;
        }
    }

    /// <summary>Gets for how long a further repetition begins, whatever <see cref="RepeatCount"/> says.</summary>
    /// <value>Zero by default; zero or more. A repetition that has begun is finished.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public TimeSpan RepeatFor
    {
        get => _repeatFor;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            _repeatFor = value;
        }
    }

    /// <summary>Gets below how many available bytes of memory no further command is started while another one runs.</summary>
    /// <value>
    /// 0, no gate, by default; 0 or more. Available is what the kernel would give without swapping (MemAvailable of
    /// proc_meminfo(5)), or what the control group of this process leaves, if that is less.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public long MinAvailableMemory
    {
        get => _minAvailableMemory;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _minAvailableMemory = value;
        }
    }

    /// <summary>
    /// Gets whether the batch takes a token of the jobserver of the <c>make</c> that runs this process for every command
    /// but one, as the manual of GNU make says ("POSIX Jobserver"), in its form with a named pipe or with descriptors.
    /// </summary>
    /// <value>False by default. True changes nothing where MAKEFLAGS names no jobserver.</value>
    public bool UseJobserver { get; init; }

    /// <summary>
    /// Gets who is told how far the batch has come: at most once every <see cref="ProgressInterval"/>, and once at the end
    /// before the results end. Called on a delivery thread of the engine, one call at a time; what it throws, the
    /// enumeration throws at its end.
    /// </summary>
    /// <value>Null, nobody, by default.</value>
    public IProgress<BatchProgress>? Progress { get; init; }

    /// <summary>Gets the least time between two reports to <see cref="Progress"/>.</summary>
    /// <value>200 ms by default; 1 ms or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is less.</exception>
    public TimeSpan ProgressInterval
    {
        get => _progressInterval;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.FromMilliseconds(1));
            _progressInterval = value;
        }
    }

    /// <summary>
    /// Gets whether a Ctrl-C (SIGINT) at this process stops the batch: nothing more is started, what runs is stopped by
    /// its stop signal and grace, the results that are known still come. A second one kills.
    /// </summary>
    /// <value>
    /// False by default: SIGINT ends this process, and its children as <see cref="ProcessEngineOptions.KillChildrenOnSignal"/>
    /// says. True keeps SIGINT from ending this process while the batch runs.
    /// </value>
    public bool StopOnInterrupt { get; init; }

    /// <summary>Gets the engine whose threads start and watch the children.</summary>
    /// <value>Null, <see cref="ProcessEngine.Shared"/>, by default.</value>
    public ProcessEngine? Engine { get; init; }

    /// <summary>Whether a command may be run more than once.</summary>
    internal bool MayRunAgain => Retry.Count > 0 || RepeatCount > 1 || RepeatFor > TimeSpan.Zero;
}
