using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Represents the state of a batch: the waiting commands, the running commands, their outcomes, and whether the batch
/// is to go on. Makes decisions and performs no actions: it starts no child, stops none and does not wait. Not
/// thread-safe: guarded by the gate of its execution.
/// </summary>
/// <param name="options">The options of the batch.</param>
/// <param name="results">The queue of results.</param>
/// <param name="isReadAtEnd">
/// Whether the results are read after the end of the batch, which therefore waits for no reader.
/// </param>
internal sealed class BatchState(BatchOptions options, ResultQueue results, bool isReadAtEnd = false)
{
    // The number of startable commands that are read ahead, so that a start finds one. Commands that wait for a retry
    // or for room in their group keep no slot busy: the same number is read in addition to them, up to the user's
    // limit.
    private const int ReadAhead = 512;
    private const int LongestShown = 5;

    // An input that was asked for its next command may be waiting for something that never comes.
    private static readonly TimeSpan s_inputPatience = TimeSpan.FromSeconds(1);

    // Even a fast reader waits for a processor now and then, and the children must not wait for it.
    private const int LeastResults = 64;

    private readonly int _mostResults = isReadAtEnd ? int.MaxValue : Math.Max(options.MaxConcurrency, LeastResults);
    private readonly BatchSchedule _schedule = new(options.MaxConcurrency, options.GroupLimits);
    private readonly RunningEntries _running = new();
    private readonly UnsettledEntries _unsettled = new();
    private readonly BatchCounts _counts = new();
    private StartGates? _gates;
    private long _beganAt;
    private long _endedAt = MonotonicClock.Never;

    /// <summary>Gets the first cause of a stop.</summary>
    public StopCause StoppedBy { get; private set; }

    /// <summary>Gets the first cause that also stops the running children, or <see cref="StopCause.None"/>.</summary>
    public StopCause RunningStoppedBy { get; private set; }

    /// <summary>Gets whether the running children are killed.</summary>
    public bool Kills { get; private set; }

    /// <summary>Gets or sets whether the input is exhausted and its code has ended.</summary>
    public bool IsInputRead { get; set; }

    /// <summary>Gets or sets whether the input was asked for its next command and has not answered yet.</summary>
    public bool IsInputAsked { get; set; }

    /// <summary>Gets the instant until which a stopped batch waits for the answer of its input.</summary>
    public long InputPatienceEnd { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets whether the batch has begun, nothing runs, and nothing will.</summary>
    public bool IsEnding { get; private set; }

    /// <summary>Gets whether starts are held back because the enumerating thread has enough to read.</summary>
    public bool IsReaderBehind { get; private set; }

    /// <summary>Gets or sets whether the enumerating thread sleeps although there is something to read.</summary>
    public bool MustWakeReader { get; set; }

    /// <summary>Gets whether more of the input is to be read.</summary>
    public bool WantsInput => _schedule.Ready < ReadAhead && _schedule.Waiting < options.MaxWaiting;

    /// <summary>Gets whether it pays to wake the reader of the input: it can add many, or slots are free.</summary>
    public bool WantsMuchInput => WantsInput && (IsHungry || _schedule.Ready <= ReadAhead / 2);

    /// <summary>Gets whether no command is waiting.</summary>
    public bool IsAllTaken => _schedule.Waiting == 0;

    /// <summary>
    /// Gets whether the last look for a command found none that may start. Otherwise the thread that sees a child end
    /// starts the next one, and the thread that reads the input starts nothing.
    /// </summary>
    public bool IsHungry { get; private set; } = true;

    /// <summary>Begins the batch.</summary>
    public void Begin(StartGates gates, long now)
    {
        _gates = gates;
        _beganAt = now;
    }

    /// <summary>Counts a command of an input that is sorted once all of it has been read.</summary>
    /// <returns>False if the batch has been stopped.</returns>
    public bool TryCountUnsorted()
    {
        _counts.AddUnsorted();
        if (StoppedBy != StopCause.None)
        {
            _counts.DropUnsorted();
        }

        return StoppedBy == StopCause.None;
    }

    /// <summary>Adds a command from the input. A batch that has been stopped never starts it.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it: it is never started.</exception>
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

    /// <summary>Takes the command to start now.</summary>
    /// <param name="now">The current instant.</param>
    /// <param name="askAgainAt">The instant of the next call if nothing happens before.</param>
    /// <returns>The command, or null if there is none.</returns>
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
            // For any reason: resources obtained for a child that does not start now belong to others.
            if (entry is null)
            {
                _gates!.Settle(_running.Alive);
            }
        }
    }

    private BatchEntry? Take(long now, out long askAgainAt)
    {
        askAgainAt = MonotonicClock.Never;
        IsReaderBehind = results.Count >= _mostResults;
        IsHungry = !IsReaderBehind && _schedule.Waiting == 0;
        if (IsEnding || StoppedBy != StopCause.None || _unsettled.Count > 0 || IsReaderBehind || IsHungry)
        {
            return null;
        }

        BatchEntry? entry = null;
        if (_gates!.Admit(_running.Alive, now))
        {
            _running.Reserve();
            entry = _schedule.Take(now);
            IsHungry = entry is null && !_schedule.HasCandidate;
            askAgainAt = _schedule.NextDue;
        }
        else
        {
            // A retry that is due cannot start either, and would have the timer come back again and again.
            askAgainAt = _gates.PollAt;
        }

        if (entry is null)
        {
            return null;
        }

        entry.StartedAt = now;
        entry.Attempt++;
        _running.Add(entry);
        return entry;
    }

    /// <summary>Handles the successful start of an attempt, which may have ended meanwhile.</summary>
    public void OnStarted() => _gates!.OnStarted(_running.Alive);

    /// <summary>
    /// Handles the end of an attempt that user code judges. The command keeps its slots, but nothing else.
    /// </summary>
    public void OnJudging(BatchEntry entry)
    {
        _running.OnJudging(entry);
        _gates!.Settle(_running.Alive);
    }

    /// <summary>
    /// Handles a start that failed for lack of a resource. The command is not to blame, and gets another turn when a
    /// child ends or after a pause.
    /// </summary>
    public void OnShortage(BatchEntry entry, bool isBusy)
    {
        Release(entry);
        if (!isBusy)
        {
            _gates!.OnShortage(_running.Alive, MonotonicClock.Now);
        }

        if (StoppedBy != StopCause.None)
        {
            NoteLast(entry);
        }
        else if (isBusy || _running.Alive == 0)
        {
            entry.FailedStarts++;
            TimeSpan pause = StartRetry.PauseAfter(entry.FailedStarts);
            _schedule.AddLater(entry, MonotonicClock.In(pause));
        }
        else
        {
            _schedule.AddAgain(entry);
        }
    }

    /// <summary>Handles an attempt that does not begin because the batch has been stopped meanwhile.</summary>
    public void OnNotStarted(BatchEntry entry)
    {
        Release(entry);
        NoteLast(entry);
    }

    /// <summary>
    /// Handles the end of an attempt, or its failure to begin, and frees its slots. Allocates no memory;
    /// <see cref="Settle"/> does.
    /// </summary>
    /// <param name="entry">The command of the attempt.</param>
    /// <param name="outcome">The <see cref="ProcessResult"/>, or the exception that prevented the start.</param>
    public void OnEnded(BatchEntry entry, object outcome)
    {
        Release(entry);

        // A retry is another run.
        entry.FailedStarts = 0;
        if (outcome is ProcessResult result)
        {
            _counts.AddAttempt(result);
        }

        _unsettled.Add(entry, outcome);
    }

    /// <summary>
    /// Settles the consequences of the attempts that have ended, and drops the waiting commands if the batch has been
    /// stopped.
    /// </summary>
    /// <exception cref="OutOfMemoryException">
    /// There is no memory for it. Nothing is lost; the method is to be called again.
    /// </exception>
    public void Settle()
    {
        while (true)
        {
            if (_unsettled.First is BatchEntry entry)
            {
                SettleOne(entry);
                _unsettled.RemoveFirst();
            }
            else if (StoppedBy != StopCause.None && _schedule.Drop() is BatchEntry dropped)
            {
                NoteLast(dropped);
            }
            else
            {
                break;
            }
        }

        if (StoppedBy != StopCause.None || IsInputRead)
        {
            _counts.DropUnsorted();
        }
    }

    /// <summary>Stops the batch, which starts nothing more. The first cause is kept. Allocates no memory.</summary>
    /// <returns>False if the batch is ending: nothing is left to stop.</returns>
    public bool Stop(StopCause cause, bool stopsRunning, bool kills)
    {
        if (IsEnding)
        {
            return false;
        }

        StoppedBy = StoppedBy == StopCause.None ? cause : StoppedBy;

        // The end of an engine waits for no input, because its timers end with it.
        TimeSpan patience = cause == StopCause.EngineDispose ? TimeSpan.Zero : s_inputPatience;
        InputPatienceEnd = Math.Min(InputPatienceEnd, MonotonicClock.In(patience));
        if (stopsRunning)
        {
            RunningStoppedBy = RunningStoppedBy == StopCause.None ? cause : RunningStoppedBy;
            Kills |= kills;
            _running.TellAll();
        }

        return true;
    }

    /// <summary>Takes a running command that has not been informed of the stop of the batch yet.</summary>
    /// <returns>The command, or null if there is none.</returns>
    public BatchEntry? TakeToStop() => RunningStoppedBy == StopCause.None ? null : _running.TellNext();

    /// <summary>Ends the batch if nothing runs and nothing will.</summary>
    /// <returns>True once.</returns>
    public bool TryEnd(long now)
    {
        bool mayGoOn = _schedule.Waiting > 0 || !(IsInputRead || (IsInputAsked && now >= InputPatienceEnd));
        if (IsEnding || _gates is null || _running.Count > 0 || _unsettled.Count > 0 || mayGoOn)
        {
            return false;
        }

        IsEnding = true;
        _endedAt = now;
        _gates.Dispose();
        return true;
    }

    /// <summary>Returns the progress of the batch.</summary>
    public BatchProgress Progress(long now)
    {
        now = Math.Min(now, _endedAt);
        return new BatchProgress
        {
            Read = _counts.Read,
            Queued = _schedule.Waiting + _counts.Unsorted,
            IsInputRead = IsInputRead,
            Running = _running.Count + _unsettled.Count,
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

    /// <summary>Returns the running commands, the longest first.</summary>
    public List<RunningItem> Running(long now) => _running.Longest(int.MaxValue, now);

    private void Release(BatchEntry entry)
    {
        entry.Life = null;
        _running.Remove(entry);
        _schedule.Release(entry);
    }

    // The command will not be started again. If it has run before, the outcome of its last attempt is its result.
    private void NoteLast(BatchEntry entry)
    {
        if (entry.Repeats?.Failures is { Count: > 0 } failures)
        {
            ProcessResult last = failures[^1];
            failures.RemoveAt(failures.Count - 1);
            _counts.TakeBackRetry();
            _unsettled.Add(entry, last);
        }
        else
        {
            _counts.AddNotStarted();
        }
    }

    private void SettleOne(BatchEntry entry)
    {
        if (StoppedBy == StopCause.None && entry.Outcome is ProcessResult result && entry.IsToRepeat(result))
        {
            _schedule.Reserve();
            BatchRepeats repeats = entry.Repeats!;
            repeats.Failures.Add(result);
            _counts.AddRetry();
            TimeSpan delay = repeats.Retry.DelayAfter(repeats.Failures.Count, Surroundings.NextChance());
            _schedule.AddLater(entry, MonotonicClock.In(delay));
        }
        else
        {
            Conclude(entry);
        }
    }

    private void Conclude(BatchEntry entry)
    {
        BatchResult conclusion = entry.ToResult();
        MustWakeReader |= results.Write(conclusion);
        bool isSuccess = conclusion is { Exception: null, Result: ProcessResult result } && entry.IsSuccess(result);
        _counts.Add(isSuccess, isFlaky: isSuccess && conclusion.EarlierAttempts.Count > 0);
        if (!isSuccess && StoppedBy == StopCause.None && options.OnFirstFailure != BatchFailureAction.Continue)
        {
            Stop(StopCause.BatchFailure, options.OnFirstFailure == BatchFailureAction.StopRunning, kills: false);
        }
    }
}
