using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>Describes how a batch runs. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record BatchOptions
{
    private readonly int _maxConcurrency = System.Environment.ProcessorCount;
    private readonly ValueMap<string, int> _groupLimits = ValueMap<string, int>.Empty;
    private readonly string? _slotVariable = "PROCESSRUNNER_SLOT";
    private readonly BatchRetry _retry = new();
    private readonly TimeSpan _timeout = System.Threading.Timeout.InfiniteTimeSpan;
    private readonly int _maxWaiting = 65_536;
    private readonly int _repeatCount = 1;
    private readonly TimeSpan _repeatFor;
    private readonly long _minAvailableMemory;
    private readonly TimeSpan _progressInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// Gets the number of slots, which limits how many commands run at once. A command takes one slot unless its
    /// <see cref="BatchItem.Slots"/> says otherwise.
    /// </summary>
    /// <value>
    /// The number of processors by default; 1 or more. Fewer commands run while the limit of descriptors or processes
    /// allows no more: such a limit delays commands and does not fail them.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1.</exception>
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
    /// <value>
    /// Empty by default. A group that is not listed has no limit of its own. Each limit is 1 or more. Names are
    /// compared ordinally, whatever the comparer of the dictionary: a difference in case makes another group.
    /// </value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
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

            _groupLimits = new ValueMap<string, int>(value);
        }
    }

    /// <summary>
    /// Gets the name of the environment variable that holds the slot number of each child. The number is the smallest
    /// free one, from 0 up to but not including <see cref="MaxConcurrency"/>; no two live children of the batch share
    /// it.
    /// </summary>
    /// <value><c>PROCESSRUNNER_SLOT</c> by default; null for no variable.</value>
    /// <exception cref="ArgumentException">The value is empty, or contains '=' or a NUL character.</exception>
    public string? SlotVariable
    {
        get => _slotVariable;
        init => _slotVariable = value is null || (value.Length > 0 && value.AsSpan().IndexOfAny('=', '\0') < 0)
            ? value
            : throw new ArgumentException($"'{value}' cannot name an environment variable.", nameof(value));
    }

    /// <summary>
    /// Gets how many commands may be read and wait. This bounds the memory for them: some 200 bytes each, in addition
    /// to the command itself. The batch reads 512 commands ahead. Commands that wait for their group or their next
    /// attempt do not count towards these 512: free slots get the commands after them, up to this limit.
    /// </summary>
    /// <value>
    /// 65,536 by default; 1 or more. <see cref="BatchOrder.LongestFirst"/> reads the whole input regardless, and a
    /// command that has been started once always waits for its next attempt.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1.</exception>
    public int MaxWaiting
    {
        get => _maxWaiting;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _maxWaiting = value;
        }
    }

    /// <summary>Gets the order in which commands start.</summary>
    /// <value><see cref="BatchOrder.AsGiven"/> by default.</value>
    public BatchOrder Order { get; init; }

    /// <summary>Gets what the batch does when a command has failed for good.</summary>
    /// <value><see cref="BatchFailureAction.Continue"/> by default.</value>
    public BatchFailureAction OnFirstFailure { get; init; }

    /// <summary>Gets how often and when a failed command runs again.</summary>
    /// <value>
    /// Never by default. With retries or repetitions, a command that reads an <see cref="InputSource.FromStream"/> does
    /// not run, because a second run would find the stream already read: its result has an
    /// <see cref="InvalidOperationException"/>.
    /// </value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public BatchRetry Retry
    {
        get => _retry;
        init => _retry = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets how long the whole batch may take.</summary>
    /// <value>
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>, for no limit, by default; zero or more. At the limit
    /// nothing further starts, and the running commands are stopped with <see cref="ProcessOutcome.TimedOut"/>.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan Timeout
    {
        get => _timeout;
        init => _timeout = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>Gets how many times the whole input runs, one repetition after the other.</summary>
    /// <value>
    /// 1 by default; 1 or more. Each repetition enumerates the input anew. See <see cref="Retry"/> for streams.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1.</exception>
    public int RepeatCount
    {
        get => _repeatCount;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _repeatCount = value;
        }
    }

    /// <summary>Gets for how long further repetitions begin, even after <see cref="RepeatCount"/> of them.</summary>
    /// <value>Zero by default; zero or more. A repetition that has begun runs to its end.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan RepeatFor
    {
        get => _repeatFor;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            _repeatFor = value;
        }
    }

    /// <summary>
    /// Gets the number of bytes of available memory below which no command starts while another one is running.
    /// </summary>
    /// <value>
    /// 0, for no limit, by default; 0 or more. On Linux, available is the memory that the kernel can provide without
    /// swapping (MemAvailable of proc_meminfo(5)), or what the control groups of this process have left, if that is
    /// less, with the page cache that the kernel can take back. The portable backend takes the figures of the last
    /// garbage collection.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
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
    /// Gets whether the batch takes a token for every running command except one from the jobserver of the <c>make</c>
    /// that runs this process. It supports the named pipe and the descriptors of "POSIX Jobserver" in the manual of GNU
    /// make, and the semaphore of "Windows Jobserver".
    /// </summary>
    /// <value>False by default. True has no effect if MAKEFLAGS names no jobserver.</value>
    public bool UseJobserver { get; init; }

    /// <summary>
    /// Gets the receiver of progress reports. It is called at most once every <see cref="ProgressInterval"/>, and once
    /// more before the results end. The calls are made on a delivery thread of the engine, one at a time. If the
    /// receiver throws, the enumeration throws the same exception at its end.
    /// </summary>
    /// <value>Null, for no reports, by default.</value>
    public IProgress<BatchProgress>? Progress { get; init; }

    /// <summary>Gets the minimum time between two reports to <see cref="Progress"/>.</summary>
    /// <value>200 ms by default; 1 ms or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1 ms.</exception>
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
    /// Gets whether a Ctrl-C (SIGINT) at this process stops the batch. Nothing further starts, the running commands are
    /// stopped by their stop signal and grace period, and the enumeration still yields the results that are known. A
    /// second Ctrl-C kills.
    /// </summary>
    /// <value>
    /// False by default: SIGINT ends this process, and <see cref="ProcessEngineOptions.KillChildrenOnSignal"/> decides
    /// about its children. True keeps SIGINT from ending this process while the batch runs.
    /// </value>
    public bool StopOnInterrupt { get; init; }

    /// <summary>Gets the engine whose threads start and watch the children.</summary>
    /// <value>Null, for <see cref="ProcessEngine.Shared"/>, by default.</value>
    public ProcessEngine? Engine { get; init; }

    /// <summary>Returns the number of slots, and the settings that are not the default.</summary>
    public override string ToString() => SettingText.Of(
        $"{MaxConcurrency} at once",
        GroupLimits.Count == 0 ? null : string.Join(", ", GroupLimits.Select(limit => $"{limit.Value} of {limit.Key}")),
        Order == BatchOrder.AsGiven ? null : $"{Order}",
        OnFirstFailure == BatchFailureAction.Continue ? null : $"{OnFirstFailure} after a failure",
        Retry.Count == 0 ? null : $"{Retry}",
        Timeout < TimeSpan.Zero ? null : $"limit {Timeout}",
        RepeatCount == 1 ? null : $"{RepeatCount} times",
        RepeatFor == TimeSpan.Zero ? null : $"again for {RepeatFor}",
        MinAvailableMemory == 0 ? null : $"with {MinAvailableMemory} bytes of memory",
        UseJobserver ? "with tokens of a jobserver" : null,
        StopOnInterrupt ? "until Ctrl-C" : null,
        Engine is null ? null : $"engine {Engine}");

    /// <summary>Gets whether the input may run more than once.</summary>
    internal bool IsRepeated => RepeatCount > 1 || RepeatFor > TimeSpan.Zero;
}
