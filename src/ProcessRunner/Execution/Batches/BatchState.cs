using System;
using System.Collections.Generic;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Where a batch stands: what waits, what runs, what has come of it, and whether it is to go on. Decides, and does nothing:
/// it starts no child, stops none and waits for nobody. Not thread-safe: guarded by the gate of its execution.
/// </summary>
internal sealed class BatchState(BatchOptions options, ResultQueue results)
{
    // How many commands that may start are read ahead, so that a start finds one. Those that are between two attempts, or stand
    // aside for their group, keep no slot busy: beside them as many are read again, up to the user's limit.
    private const int ReadAhead = 512;
    private const int LongestShown = 5;

    // An input that is asked for its next command may wait for something that never comes.
    private static readonly TimeSpan s_inputPatience = TimeSpan.FromSeconds(1);

    // A reader that is not slow waits for a processor now and then, and the children are not to wait for it.
    private const int LeastResults = 64;

    private readonly int _mostResults = Math.Max(options.MaxConcurrency, LeastResults);
    private readonly BatchSchedule _schedule = new(options.MaxConcurrency, options.GroupLimits);
    private readonly RunningEntries _running = new();
    private readonly BatchCounts _counts = new();
    private StartGates? _gates;
    private long _beganAt;
    private long _endedAt = MonotonicClock.Never;

    // The attempts that have ended, until it is settled what follows.
    private BatchEntry? _firstUnsettled;
    private BatchEntry? _lastUnsettled;
    private int _unsettled;

    /// <summary>Who stopped the batch first.</summary>
    public StopCause StoppedBy { get; private set; }

    /// <summary>Who stopped what runs as well; <see cref="StopCause.None"/> if nobody has.</summary>
    public StopCause RunningStoppedBy { get; private set; }

    /// <summary>Whether it is being killed.</summary>
    public bool Kills { get; private set; }

    /// <summary>Whether nothing more comes from the input, and its code has ended.</summary>
    public bool IsInputRead { get; set; }

    /// <summary>Whether the input has been asked for its next command, and has not answered yet.</summary>
    public bool IsInputAsked { get; set; }

    /// <summary>Until when a batch that has been stopped waits for the answer of its input.</summary>
    public long InputPatienceEnd { get; private set; } = MonotonicClock.Never;

    /// <summary>Whether the batch has begun and nothing runs and nothing will.</summary>
    public bool IsEnding { get; private set; }

    /// <summary>Whether nothing is started because the one who enumerates has enough to read.</summary>
    public bool IsReaderBehind { get; private set; }

    /// <summary>Whether the one who enumerates sleeps and has something to read.</summary>
    public bool MustWakeReader { get; set; }

    /// <summary>Whether the input is to be read on.</summary>
    public bool WantsInput => _schedule.Ready < ReadAhead && _schedule.Waiting < options.MaxWaiting;

    /// <summary>Whether it is worth to wake the reader of the input: there is room for a good deal, or slots are free for it.</summary>
    public bool WantsMuchInput => WantsInput && (IsHungry || _schedule.Ready <= ReadAhead / 2);

    /// <summary>Whether nothing waits.</summary>
    public bool IsAllTaken => _schedule.Waiting == 0;

    /// <summary>
    /// Whether somebody looked for a command and there was none that may start. Else whoever sees a child end starts the
    /// next one, and the thread that reads the input keeps out of it.
    /// </summary>
    public bool IsHungry { get; private set; } = true;

    /// <summary>The batch begins.</summary>
    public void Begin(StartGates gates, long now)
    {
        _gates = gates;
        _beganAt = now;
    }

    /// <summary>Adds a command from the input. It will never be started if the batch has been stopped.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it, and it will never be started.</exception>
    public void Add(BatchEntry entry)
    {
        _counts.AddRead();
        if (StoppedBy != StopCause.None)
        {
            _counts.AddNotStarted();
            return;
        }

        try
        {
            _schedule.Add(entry);
        }
        catch (OutOfMemoryException)
        {
            _counts.AddNotStarted();
            throw;
        }
    }

    /// <summary>Takes the command that is to be started now.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="askAgainAt">When to ask again if nothing happens before.</param>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for it. Nothing has changed.</exception>
    public BatchEntry? TakeNext(long now, out long askAgainAt)
    {
        BatchEntry? entry = null;
        try
        {
            entry = Take(now, out askAgainAt);
            return entry;
        }
        finally
        {
            // Whatever the reason: what was had for a child that is not started now belongs to others.
            if (entry is null)
            {
                _gates!.Settle(_running.Count);
            }
        }
    }

    private BatchEntry? Take(long now, out long askAgainAt)
    {
        askAgainAt = MonotonicClock.Never;
        IsReaderBehind = results.Count >= _mostResults;
        IsHungry = !IsReaderBehind && _schedule.Waiting == 0;
        if (IsEnding || StoppedBy != StopCause.None || _firstUnsettled is not null || IsReaderBehind || IsHungry)
        {
            return null;
        }

        BatchEntry? entry = null;
        if (_gates!.Admit(_running.Count, now))
        {
            _running.Reserve();
            entry = _schedule.Take(now);
            IsHungry = entry is null && !_schedule.HasCandidate;
        }
        else
        {
            askAgainAt = _gates.PollAt;
        }

        if (entry is null)
        {
            askAgainAt = Math.Min(askAgainAt, _schedule.NextDue);
            return null;
        }

        entry.StartedAt = now;
        entry.Attempt++;
        _running.Add(entry);
        return entry;
    }

    /// <summary>The start of an attempt has succeeded.</summary>
    public void OnStarted(BatchEntry entry, int attempt)
    {
        _gates!.OnStarted(_running.Count);

        // The child may have ended by now, and been started again.
        if (entry.Attempt == attempt && entry.RunningIndex >= 0)
        {
            entry.FailedStarts = 0;
        }
    }

    /// <summary>
    /// A start has failed for want of something, which is not the command's fault: it has its turn again when a child has
    /// ended or a moment has passed.
    /// </summary>
    public void OnShortage(BatchEntry entry, bool isBusy)
    {
        Release(entry);
        if (!isBusy)
        {
            _gates!.OnShortage(_running.Count, MonotonicClock.Now);
        }

        if (StoppedBy != StopCause.None)
        {
            NoteLast(entry);
        }
        else if (isBusy || _running.Count == 0)
        {
            entry.FailedStarts++;
            _schedule.AddLater(entry, MonotonicClock.After(MonotonicClock.Now, StartRetry.PauseAfter(entry.FailedStarts)));
        }
        else
        {
            _schedule.AddAgain(entry);
        }
    }

    /// <summary>An attempt has ended, or could not begin: its slots are free. Takes no memory, which <see cref="Settle"/> does.</summary>
    /// <param name="entry">Whose attempt.</param>
    /// <param name="outcome">What came of it, a <see cref="ProcessResult"/>, or the exception by which it could not begin.</param>
    public void OnEnded(BatchEntry entry, object outcome)
    {
        Release(entry);
        if (outcome is ProcessResult result)
        {
            _counts.AddAttempt(result);
        }

        Note(entry, outcome);
    }

    /// <summary>
    /// Settles what follows from the attempts that have ended, and lets go what waits if the batch has been stopped.
    /// </summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it. Nothing is lost: it is to be called again.</exception>
    public void Settle()
    {
        while (true)
        {
            if (_firstUnsettled is BatchEntry entry)
            {
                SettleOne(entry);
                _firstUnsettled = entry.NextUnsettled;
                entry.NextUnsettled = null;
                _unsettled--;
            }
            else if (StoppedBy != StopCause.None && _schedule.Drop() is BatchEntry dropped)
            {
                NoteLast(dropped);
            }
            else
            {
                return;
            }
        }
    }

    /// <summary>Nothing more is started. The first cause stays. Takes no memory.</summary>
    public void Stop(StopCause cause, bool stopsRunning, bool kills)
    {
        if (IsEnding)
        {
            return;
        }

        StoppedBy = StoppedBy == StopCause.None ? cause : StoppedBy;

        // The end of an engine waits for no input: its timers end with it.
        TimeSpan patience = cause == StopCause.EngineDispose ? TimeSpan.Zero : s_inputPatience;
        InputPatienceEnd = Math.Min(InputPatienceEnd, MonotonicClock.After(MonotonicClock.Now, patience));
        if (stopsRunning)
        {
            RunningStoppedBy = RunningStoppedBy == StopCause.None ? cause : RunningStoppedBy;
            Kills |= kills;
            _running.TellAll();
        }
    }

    /// <summary>Takes a command whose child is still to be stopped, as the whole batch is.</summary>
    /// <returns>Null if there is none.</returns>
    public BatchEntry? TakeToStop() => RunningStoppedBy == StopCause.None ? null : _running.TellNext();

    /// <summary>Ends the batch if nothing runs and nothing will.</summary>
    /// <returns>True once.</returns>
    public bool TryEnd(long now)
    {
        bool mayGoOn = _schedule.Waiting > 0 || !(IsInputRead || (IsInputAsked && now >= InputPatienceEnd));
        if (IsEnding || _gates is null || _running.Count > 0 || _firstUnsettled is not null || mayGoOn)
        {
            return false;
        }

        IsEnding = true;
        _endedAt = now;
        _gates.Dispose();
        return true;
    }

    /// <summary>What is told of it.</summary>
    public BatchProgress Progress(long now)
    {
        now = Math.Min(now, _endedAt);
        return new BatchProgress
        {
            Read = _counts.Read,
            Queued = _schedule.Waiting,
            IsInputRead = IsInputRead,
            Running = _running.Count + _unsettled,
            Passed = _counts.Passed,
            Flaky = _counts.Flaky,
            Failed = _counts.Failed,
            NotStarted = _counts.NotStarted,
            Retried = _counts.Retried,
            Bytes = _counts.Bytes,
            Elapsed = _gates is null ? TimeSpan.Zero : MonotonicClock.Between(_beganAt, now),
            Longest = _running.Longest(LongestShown, now),
        };
    }

    private void Release(BatchEntry entry)
    {
        entry.Life = null;
        _running.Remove(entry);
        _schedule.Release(entry);
    }

    private bool MayTryAgain(BatchEntry entry, ProcessResult result) =>
        StoppedBy == StopCause.None
        && !result.IsSuccess
        && result.DeliveryFailure is null
        && (entry.Failures?.Count ?? 0) < options.Retry.Count;

    private void Note(BatchEntry entry, object outcome)
    {
        entry.Outcome = outcome;
        if (_firstUnsettled is null)
        {
            _firstUnsettled = entry;
        }
        else
        {
            _lastUnsettled!.NextUnsettled = entry;
        }

        _lastUnsettled = entry;
        _unsettled++;
    }

    // It will not be started any more. If it has been before, what came of that is its result.
    private void NoteLast(BatchEntry entry)
    {
        if (entry.Failures is { Count: > 0 } failures)
        {
            ProcessResult last = failures[^1];
            failures.RemoveAt(failures.Count - 1);
            _counts.TakeBackRetry();
            Note(entry, last);
        }
        else
        {
            _counts.AddNotStarted();
        }
    }

    private void SettleOne(BatchEntry entry)
    {
        if (entry.Outcome is ProcessResult result && MayTryAgain(entry, result))
        {
            _schedule.Reserve();
            (entry.Failures ??= []).Add(result);
            _counts.AddRetry();
            TimeSpan delay = options.Retry.DelayAfter(entry.Failures.Count, Random.Shared.NextDouble());
            _schedule.AddLater(entry, MonotonicClock.After(MonotonicClock.Now, delay));
        }
        else
        {
            Conclude(entry);
        }

        entry.Outcome = null;
    }

    private void Conclude(BatchEntry entry)
    {
        ProcessResult? result = entry.Outcome as ProcessResult;
        BatchResult conclusion = new()
        {
            Item = entry.Item,
            Index = entry.Index,
            Repetition = entry.Repetition,
            Result = result,
            Exception = entry.Outcome as Exception ?? result?.DeliveryFailureWithResult?.SourceException,
            EarlierAttempts = entry.Failures ?? (IReadOnlyList<ProcessResult>)[],
            Slot = entry.Slot,
        };
        MustWakeReader |= results.Write(conclusion);
        _counts.Add(conclusion);
        if (!conclusion.IsSuccess && StoppedBy == StopCause.None && options.OnFirstFailure != BatchFailureAction.Continue)
        {
            Stop(StopCause.BatchFailure, options.OnFirstFailure == BatchFailureAction.StopRunning, kills: false);
        }
    }
}
