using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// One run of a batch: reads the input, starts what the schedule and the gates let through, and hands the results to the
/// one who enumerates them.
/// </summary>
/// <remarks>
/// <para>Threads: the input is read on a delivery thread, which also makes the first starts. From then on the thread that
/// saw a child end starts the next one, a reactor's as a rule, and the new child stays on that reactor. What could block a
/// reactor or runs user code (a file to open, a trace) is started on a delivery thread instead. Times are kept by a timer
/// on a reactor.</para>
/// <para>States: new; begun; ending, when nothing runs and nothing will; ended. A stop may come at any time, and its first
/// cause stays. <c>_gate</c> guards everything mutable. No child's gate is taken with it held, nor is it taken with a
/// child's gate held; inside it the locks of the results, of a reactor and of the delivery threads may be taken.</para>
/// </remarks>
internal sealed class BatchExecution : IDisposable, IAsyncDisposable
{
    // How many commands are read ahead, so that a start finds one, and that those of a full group do not hold up the rest.
    private const int ReadAhead = 512;
    private const int LongestShown = 5;

    // Only names what could not be started, if the engine itself cannot be made.
    private static readonly ProcessCommand s_first = new("the first command of a batch");

    private readonly object _gate = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly BatchOptions _options;
    private readonly BatchInput _input;
    private readonly ProcessEngine _engine;
    private readonly BatchSchedule _schedule;
    private readonly RunningEntries _running = new();
    private readonly BatchCounts _counts = new();
    private readonly CancellationToken _token;

    private EngineParts? _parts;
    private InheritedEnvironment? _environment;
    private StartGates? _gates;
    private BatchAlarm? _alarm;
    private BatchTriggers? _triggers;
    private ExceptionDispatchInfo? _failure;
    private StopCause _stoppedBy;
    private long _beganAt;
    private long _endedAt = MonotonicClock.Never;
    private bool _hasBegun;
    private bool _stopsRunning;
    private bool _isInputRead;
    private bool _isInputAhead;
    private bool _isReaderBehind;
    private bool _isReporting;
    private bool _isEnding;

    public BatchExecution(
        Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions options, CancellationToken cancellationToken)
    {
        _options = options;
        _token = cancellationToken;
        _input = new BatchInput(source, options);
        _engine = options.Engine ?? ProcessEngine.Shared;
        _schedule = new BatchSchedule(options.MaxConcurrency, options.GroupLimits);
        Results = new ResultQueue(OnTaken);
    }

    /// <summary>What has ended and waits for the one who enumerates.</summary>
    public ResultQueue Results { get; }

    /// <summary>Who stopped the batch first.</summary>
    public StopCause StoppedBy
    {
        get
        {
            lock (_gate)
            {
                return _stoppedBy;
            }
        }
    }

    /// <summary>Begins, once.</summary>
    public void Begin(CancellationToken tokenOfEnumeration = default)
    {
        lock (_gate)
        {
            if (_hasBegun)
            {
                throw new InvalidOperationException("The results of a batch can be enumerated once; run the commands again.");
            }

            _hasBegun = true;
        }

        EngineParts parts = StartRetry.Until(_ => _engine.Parts(s_first));
        lock (_gate)
        {
            _parts = parts;
            _beganAt = MonotonicClock.Now;
            _environment = parts.Backend.TakeEnvironment();
            _gates = new StartGates(parts.Backend, _options);
            _alarm = new BatchAlarm(parts.Backend.CreateTimer(OnTimer), _options, _beganAt);
            _alarm.Arm(MonotonicClock.Never);
        }

        BatchTriggers triggers = new(this, _options.StopOnInterrupt, _token, tokenOfEnumeration);
        bool isOver;
        lock (_gate)
        {
            _triggers = triggers;
            isOver = _isEnding;
        }

        // A token that was cancelled before has stopped the batch by now.
        if (isOver)
        {
            triggers.Dispose();
        }

        parts.Threads.Post(ReadInput);
    }

    /// <summary>Starts nothing more, and stops what runs. Any thread; does not wait.</summary>
    /// <param name="cause">Kept if it is the first.</param>
    /// <param name="isKill">Whether what runs is killed at once, without its stop signal and grace.</param>
    public void Stop(StopCause cause, bool isKill)
    {
        List<ChildLife> lives;
        lock (_gate)
        {
            if (_isEnding)
            {
                return;
            }

            StopStarting(cause);
            _stopsRunning = true;
            lives = _running.Lives();
            EndIfDone();
        }

        foreach (ChildLife life in lives)
        {
            life.Stop(cause, isKill ? TimeSpan.Zero : life.Command.StopGrace);
        }
    }

    /// <summary>The one who enumerates is gone: stops what runs, and waits until it is gone, too.</summary>
    public void Dispose()
    {
        Stop(StopCause.Dispose, isKill: false);
        BlockingWait.For(_ended.Task);
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync()
    {
        Stop(StopCause.Dispose, isKill: false);
        return new ValueTask(_ended.Task);
    }

    /// <summary>Throws what ended the batch, once it has ended.</summary>
    /// <exception cref="OperationCanceledException">A token was cancelled.</exception>
    /// <exception cref="Exception">What the input or a progress report threw, or what befell the engine.</exception>
    public void ThrowIfFailed()
    {
        _failure?.Throw();
        if (_stoppedBy == StopCause.CancellationToken)
        {
            throw new OperationCanceledException("The batch was cancelled.", _triggers!.Cancelled);
        }
    }

    /// <summary>How far it has come. Any thread.</summary>
    public BatchProgress Progress()
    {
        lock (_gate)
        {
            long now = Math.Min(MonotonicClock.Now, _endedAt);
            return new BatchProgress
            {
                Queued = _schedule.Waiting,
                IsInputRead = _isInputRead,
                Running = _running.Count,
                Passed = _counts.Passed,
                Flaky = _counts.Flaky,
                Failed = _counts.Failed,
                Retried = _counts.Retried,
                Bytes = _counts.Bytes,
                Elapsed = _parts is null ? TimeSpan.Zero : MonotonicClock.Between(_beganAt, now),
                Longest = _running.Longest(LongestShown, now),
            };
        }
    }

    /// <summary>A child has ended; on its reactor's thread.</summary>
    public void OnEnded(BatchEntry entry, ProcessResult result)
    {
        List<ChildLife> lives;
        lock (_gate)
        {
            Release(entry);
            _counts.AddAttempt(result);
            if (MayTryAgain(entry, result))
            {
                (entry.Failures ??= []).Add(result);
                _counts.AddRetry();
                TimeSpan delay = _options.Retry.DelayAfter(entry.Failures.Count, Random.Shared.NextDouble());
                _schedule.AddLater(entry, MonotonicClock.After(MonotonicClock.Now, delay));
                lives = [];
            }
            else
            {
                lives = Conclude(entry, result, result.DeliveryFailure?.SourceException);
            }
        }

        StopForFailure(lives);
        StartMore();
    }

    // On a delivery thread.
    private void ReadInput()
    {
        try
        {
            foreach (BatchEntry entry in _input.Read(this))
            {
                if (!Offer(entry))
                {
                    break;
                }

                StartMore();
            }
        }
        catch (Exception exception)
        {
            Fail(exception);
        }

        lock (_gate)
        {
            _isInputRead = true;
            EndIfDone();
        }
    }

    private bool Offer(BatchEntry entry)
    {
        lock (_gate)
        {
            while (_stoppedBy == StopCause.None && _schedule.Waiting >= ReadAhead)
            {
                _isInputAhead = true;
                Monitor.Wait(_gate);
            }

            if (_stoppedBy != StopCause.None)
            {
                return false;
            }

            _schedule.Add(entry);
            return true;
        }
    }

    private void StartMore()
    {
        while (TakeNext() is BatchEntry entry)
        {
            if (_parts!.Backend.IsOnReactor && (_engine.IsTraced || entry.Item.Command.OpensFiles))
            {
                _parts.Threads.Post(() =>
                {
                    Start(entry);
                    StartMore();
                });
            }
            else
            {
                Start(entry);
            }
        }
    }

    private BatchEntry? TakeNext()
    {
        lock (_gate)
        {
            long now = MonotonicClock.Now;
            BatchEntry? entry = null;
            if (_isEnding)
            {
                return null;
            }

            _isReaderBehind = Results.Count >= _options.MaxConcurrency;
            if (!_isReaderBehind && _schedule.Waiting > 0 && _gates!.Admit(_running.Count, now))
            {
                entry = _schedule.Take(now);
            }

            if (entry is null)
            {
                _gates!.Settle(_running.Count);
                Arm();
                return null;
            }

            entry.StartedAt = now;
            entry.Attempt++;
            _running.Add(entry);

            // Not for each: the reader of the input is woken once there is a good deal to read.
            if (_isInputAhead && _schedule.Waiting <= ReadAhead / 2)
            {
                _isInputAhead = false;
                Monitor.PulseAll(_gate);
            }

            return entry;
        }
    }

    private void Start(BatchEntry entry)
    {
        int attempt = entry.Attempt;
        try
        {
            _engine.Trace(entry.Item.Command);
            ChildLife life = _engine.StartOnce(new StartOrder(entry.Item.Command)
            {
                Attempt = entry.FailedStarts + 1,
                Environment = _environment,
                Slot = new SlotVariable(_options.SlotVariable, entry.Slot),
                Observer = entry,
            });
            OnStarted(entry, attempt, life);
        }
        catch (ProcessStartException exception) when (exception.IsTransient && entry.FailedStarts < StartRetry.MostAttempts)
        {
            OnShortage(entry, isBusy: exception.Step == ProcessStartStep.Busy);
        }
        catch (ObjectDisposedException exception)
        {
            // The engine is gone, so no other command can be started either.
            GiveUp(entry);
            Fail(exception);
            Stop(StopCause.EngineDispose, isKill: true);
        }
        catch (Exception exception)
        {
            List<ChildLife> lives;
            lock (_gate)
            {
                Release(entry);
                lives = Conclude(entry, null, exception);
            }

            StopForFailure(lives);
        }
    }

    private void OnStarted(BatchEntry entry, int attempt, ChildLife life)
    {
        StopCause cause;
        lock (_gate)
        {
            _gates!.OnStarted();

            // The child may have ended by now, and been started again.
            if (entry.Attempt == attempt && entry.RunningIndex >= 0)
            {
                entry.FailedStarts = 0;
                entry.Life = life;
            }

            cause = _stopsRunning ? _stoppedBy : StopCause.None;
        }

        if (cause != StopCause.None)
        {
            life.Stop(cause, life.Command.StopGrace);
        }
    }

    // Not the command's fault: it waits its turn, and has its turn again when a child has ended or a moment has passed.
    private void OnShortage(BatchEntry entry, bool isBusy)
    {
        lock (_gate)
        {
            Release(entry);
            if (!isBusy)
            {
                _gates!.OnShortage(_running.Count);
            }

            if (_stoppedBy != StopCause.None)
            {
                EndIfDone();
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
    }

    private void GiveUp(BatchEntry entry)
    {
        lock (_gate)
        {
            Release(entry);
        }
    }

    private void Release(BatchEntry entry)
    {
        entry.Life = null;
        _running.Remove(entry);
        _schedule.Release(entry);
    }

    private bool MayTryAgain(BatchEntry entry, ProcessResult result) =>
        _stoppedBy == StopCause.None
        && !result.IsSuccess
        && result.DeliveryFailure is null
        && (entry.Failures?.Count ?? 0) < _options.Retry.Count;

    // Those that are to be stopped now, for which the gate must be left.
    private List<ChildLife> Conclude(BatchEntry entry, ProcessResult? result, Exception? exception)
    {
        BatchResult conclusion = new()
        {
            Item = entry.Item,
            Index = entry.Index,
            Repetition = entry.Repetition,
            Result = result,
            Exception = exception,
            EarlierAttempts = entry.Failures is null ? [] : entry.Failures,
            Slot = entry.Slot,
        };
        _counts.Add(conclusion);
        Results.Write(conclusion);
        List<ChildLife> lives = [];
        if (!conclusion.IsSuccess && _stoppedBy == StopCause.None && _options.OnFirstFailure != BatchFailureAction.Continue)
        {
            StopStarting(StopCause.BatchFailure);
            if (_options.OnFirstFailure == BatchFailureAction.StopRunning)
            {
                _stopsRunning = true;
                lives = _running.Lives();
            }
        }

        EndIfDone();
        return lives;
    }

    private static void StopForFailure(List<ChildLife> lives)
    {
        foreach (ChildLife life in lives)
        {
            life.Stop(StopCause.BatchFailure, life.Command.StopGrace);
        }
    }

    private void StopStarting(StopCause cause)
    {
        if (_stoppedBy == StopCause.None)
        {
            _stoppedBy = cause;
        }

        _schedule.Clear();
        Monitor.PulseAll(_gate);

        // Whoever listens is the user's code, which must not run here.
        _parts?.Threads.Post(_input.Stop);
    }

    private void Fail(Exception exception)
    {
        lock (_gate)
        {
            _failure ??= ExceptionDispatchInfo.Capture(exception);
        }
    }

    private void Arm() =>
        _alarm!.Arm(Math.Min(_isReaderBehind ? MonotonicClock.Never : _schedule.NextDue, _gates!.PollAt));

    // On a reactor's thread.
    private void OnTimer(long now)
    {
        bool isTimeout;
        lock (_gate)
        {
            if (_isEnding)
            {
                return;
            }

            _alarm!.OnTimer();
            isTimeout = _alarm.IsTimeout(now);
            if (_alarm.IsReportDue(now) && !_isReporting)
            {
                _isReporting = true;
                _parts!.Threads.Post(Report);
            }
        }

        if (isTimeout)
        {
            Stop(StopCause.BatchTimeout, isKill: false);
        }

        StartMore();
    }

    // On the reader's thread, which starts nothing itself.
    private void OnTaken()
    {
        lock (_gate)
        {
            if (_isReaderBehind && !_isEnding)
            {
                _isReaderBehind = false;
                _alarm!.Arm(MonotonicClock.Now);
            }
        }
    }

    // On a delivery thread.
    private void Report()
    {
        try
        {
            _options.Progress!.Report(Progress());
        }
        catch (Exception exception)
        {
            Fail(exception);
        }

        lock (_gate)
        {
            _isReporting = false;
        }
    }

    private void EndIfDone()
    {
        if (_isEnding || _parts is null || _running.Count > 0)
        {
            return;
        }

        if (_stoppedBy == StopCause.None && (!_isInputRead || _schedule.Waiting > 0))
        {
            return;
        }

        _isEnding = true;
        _endedAt = MonotonicClock.Now;
        _gates!.Dispose();
        _alarm!.Dispose();
        _environment!.Dispose();
        _parts.Threads.Post(End);
    }

    // On a delivery thread: the last report is the user's code, and the triggers wait for what they have set off.
    private void End()
    {
        _triggers?.Dispose();
        if (_options.Progress is not null)
        {
            Report();
        }

        Results.Complete();
        _ended.SetResult();
    }
}
