using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// One run of a batch: reads the input, starts and stops what its state says, and hands the results to the one who
/// enumerates them.
/// </summary>
/// <remarks>
/// <para>Threads: the input is read on a delivery thread. Reactors make the starts: the one that sees a child end starts the
/// next one, and the new child stays there; a timer on one of them makes those that no end brings about. A start that could
/// block or runs user code (a file to open, a trace) has a delivery thread to itself.</para>
/// <para>States: new; begun; ending, when nothing runs and nothing will; ended. A stop may come at any time. <c>_gate</c>
/// guards everything mutable. No child's gate is taken with it held, nor is it taken with a child's gate held; it is taken
/// inside no other lock, and inside it those of the results, of a reactor and of the delivery threads may be.</para>
/// </remarks>
internal sealed class BatchExecution : IDisposable, IAsyncDisposable
{
    // Only names what could not be started, if the engine itself cannot be made.
    private static readonly ProcessCommand s_first = new("the first command of a batch");

    private readonly object _gate = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly BatchOptions _options;
    private readonly BatchInput _input;
    private readonly BatchState _state;
    private readonly ProcessEngine _engine;
    private readonly CancellationToken _token;
    private readonly Action _wakeReader;

    private EngineParts? _parts;
    private InheritedEnvironment? _environment;
    private BatchAlarm? _alarm;
    private BatchTriggers? _triggers;
    private Exception? _failure;
    private bool _hasBegun;
    private bool _isReporting;

    public BatchExecution(
        Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions options, CancellationToken cancellationToken)
    {
        _options = options;
        _token = cancellationToken;
        _engine = options.Engine ?? ProcessEngine.Shared;
        Results = new ResultQueue(OnTaken);
        _wakeReader = Results.Wake;
        _state = new BatchState(options, Results);
        _input = new BatchInput(source, options, _gate, _state);
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
                return _state.StoppedBy;
            }
        }
    }

    /// <summary>Begins, once.</summary>
    /// <param name="isBlocking">Whether the calling thread may wait where the system is short of something.</param>
    /// <param name="tokenOfEnumeration">Stops the batch, as its own token does.</param>
    public void Begin(bool isBlocking, CancellationToken tokenOfEnumeration = default)
    {
        lock (_gate)
        {
            if (_hasBegun)
            {
                throw new InvalidOperationException("The results of a batch can be enumerated once; run the commands again.");
            }

            _hasBegun = true;
        }

        EngineParts parts = isBlocking ? StartRetry.Until(() => _engine.Parts(s_first)) : _engine.Parts(s_first);
        StartGates gates = new(parts.Backend, _options);
        InheritedEnvironment environment = parts.Backend.TakeEnvironment();
        lock (_gate)
        {
            long now = MonotonicClock.Now;
            _parts = parts;
            _environment = environment;
            _alarm = new BatchAlarm(parts.Backend.CreateTimer(OnTimer), _options, now);
            _alarm.Arm(MonotonicClock.Never);
            _state.Begin(gates, now);
            _triggers = new BatchTriggers();
        }

        // Each of them may stop the batch here and now.
        _engine.Attach(this);
        _triggers.Watch(this, _options.StopOnInterrupt, _token, tokenOfEnumeration);
        lock (_gate)
        {
            _state.IsInputRead = _state.StoppedBy != StopCause.None;
            EndIfDone();
            if (_state.IsInputRead)
            {
                return;
            }
        }

        parts.Streams.Threads.Post(ReadInput);
    }

    /// <summary>Starts nothing more. Any thread; does not wait.</summary>
    /// <param name="cause">Kept if it is the first.</param>
    /// <param name="isKill">Whether what runs is killed at once, without its stop signal and grace.</param>
    /// <param name="stopsRunning">Whether what runs is stopped at all.</param>
    public void Stop(StopCause cause, bool isKill, bool stopsRunning = true)
    {
        List<ChildLife> lives;
        using (Uninterruptible.Lock(_gate))
        {
            _state.Stop(cause, stopsRunning, isKill);
            lives = stopsRunning ? _state.Lives() : [];
            OnStopped();
            EndIfDone();
        }

        StopAll(lives, cause, isKill);
    }

    /// <summary>The engine is being disposed: nothing can be started any more.</summary>
    public void OnEngineDispose()
    {
        Fail(new ObjectDisposedException(nameof(ProcessEngine)));
        Stop(StopCause.EngineDispose, isKill: true);
    }

    /// <summary>The one who enumerates is gone: stops what runs, and waits until it is gone, too.</summary>
    public void Dispose()
    {
        if (StopForDispose())
        {
            BlockingWait.For(_ended.Task);
        }
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync() => StopForDispose() ? new ValueTask(_ended.Task) : ValueTask.CompletedTask;

    /// <summary>
    /// What ended the batch, once it has ended: what the input or a progress report threw, what befell the engine, that a
    /// token was cancelled; or null.
    /// </summary>
    public Exception? Failure => _failure
        ?? (StoppedBy == StopCause.CancellationToken
            ? new OperationCanceledException("The batch was cancelled.", _triggers!.Cancelled)
            : null);

    /// <summary>How far it has come. Any thread.</summary>
    public BatchProgress Progress()
    {
        lock (_gate)
        {
            return _state.Progress(MonotonicClock.Now);
        }
    }

    /// <summary>A child has ended; on its reactor's thread.</summary>
    public void OnEnded(BatchEntry entry, ProcessResult result) => StartFrom(Conclude(entry, result, exception: null));

    /// <summary>Has a reactor start what may be started. With the gate held.</summary>
    public void StartSoon()
    {
        if (!_state.IsEnding)
        {
            _alarm!.Arm(MonotonicClock.Now);
        }
    }

    private void StartMore()
    {
        BatchEntry? first;
        lock (_gate)
        {
            first = TakeNext();
        }

        StartFrom(first);
    }

    // On a delivery thread.
    private void ReadInput()
    {
        try
        {
            _input.Read(this);
        }
        catch (OperationCanceledException) when (StoppedBy != StopCause.None)
        {
            // The input was asked to end, and did.
        }
        catch (Exception exception)
        {
            Fail(exception);
        }

        lock (_gate)
        {
            _state.IsInputRead = true;
            EndIfDone();
        }
    }

    private void StartFrom(BatchEntry? first)
    {
        BatchEntry? next;
        for (BatchEntry? entry = first; entry is not null; entry = next)
        {
            next = null;
            if (_engine.IsTraced || entry.Item.Command.OpensFiles)
            {
                StartElsewhere(entry);
            }
            else
            {
                next = Start(entry);
            }

            if (next is null)
            {
                lock (_gate)
                {
                    next = TakeNext();
                }
            }
        }
    }

    // Apart from the loop, in which it would cost a closure for every child.
    private void StartElsewhere(BatchEntry entry) => _parts!.Streams.Threads.Post(() =>
    {
        StartFrom(Start(entry));
        StartMore();
    });

    // With the gate held.
    private BatchEntry? TakeNext()
    {
        long now = MonotonicClock.Now;
        BatchEntry? entry = _state.TakeNext(now, out long askAgainAt);
        if (entry is not null)
        {
            _alarm!.OnStart(now);
            _input.OnTaken();
        }
        else if (!_state.IsEnding)
        {
            _alarm!.Arm(askAgainAt);
        }

        return entry;
    }

    // Returns the next one, if this one has come to its end already.
    private BatchEntry? Start(BatchEntry entry)
    {
        int attempt = entry.Attempt;
        try
        {
            _engine.Trace(entry.Item.Command);
            ChildLife life = ChildLife.Create(
                new StartOrder(entry.Item.Command)
                {
                    Attempt = entry.FailedStarts + 1,
                    IsTriedOnce = true,
                    Environment = _environment,
                    Slot = new SlotVariable(_options.SlotVariable, entry.Slot),
                    Observer = entry,
                },
                _engine.Parts(entry.Item.Command));
            OnStarting(entry, life);
            life.Start();
            lock (_gate)
            {
                _state.OnStarted(entry, attempt);
            }

            return life.HasEndedAtStart ? Conclude(entry, life.Completion.Result, exception: null) : null;
        }
        catch (ProcessStartException exception) when (exception.IsTransient && entry.FailedStarts + 1 < StartRetry.MostAttempts)
        {
            lock (_gate)
            {
                _state.OnShortage(entry, isBusy: exception.Step == ProcessStartStep.Busy);
                EndIfDone();
                return null;
            }
        }
        catch (Exception exception)
        {
            return Conclude(entry, result: null, exception);
        }
    }

    // From here on a stop of the batch reaches the child, though its start may hang.
    private void OnStarting(BatchEntry entry, ChildLife life)
    {
        bool isKill;
        lock (_gate)
        {
            entry.Life = life;
            isKill = _state.Kills;
            if (!_state.StopsRunning)
            {
                return;
            }
        }

        StopAll([life], StoppedBy, isKill);
    }

    // Gives the slot to the next command in the same breath: else another thread would take it, and one reactor might end up
    // with all the children.
    private BatchEntry? Conclude(BatchEntry entry, ProcessResult? result, Exception? exception)
    {
        List<ChildLife>? lives = null;
        BatchEntry? next;
        lock (_gate)
        {
            bool wasStopped = _state.StoppedBy != StopCause.None;
            _state.OnEnded(entry, result, exception);
            if (!wasStopped && _state.StoppedBy != StopCause.None)
            {
                lives = _state.StopsRunning ? _state.Lives() : null;
                OnStopped();
            }

            next = TakeNext();
            EndIfDone();
        }

        if (lives is not null)
        {
            StopAll(lives, StopCause.BatchFailure, isKill: false);
        }

        return next;
    }

    private static void StopAll(List<ChildLife> lives, StopCause cause, bool isKill)
    {
        foreach (ChildLife life in lives)
        {
            life.Stop(cause, isKill ? TimeSpan.Zero : life.Command.StopGrace);
        }
    }

    // False if there is nothing that could end: the batch has not come to its beginning.
    private bool StopForDispose()
    {
        bool hasBegun;
        using (Uninterruptible.Lock(_gate))
        {
            hasBegun = _parts is not null;
        }

        Stop(StopCause.Dispose, isKill: false);
        return hasBegun;
    }

    private void OnStopped()
    {
        // The thread that reads the input may wait for us, or in the user's code, which must not be called from here.
        _input.Wake();
        _parts?.Streams.Threads.Post(StopInput);
    }

    // On a delivery thread.
    private void StopInput()
    {
        try
        {
            _input.Stop();
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }

    private void Fail(Exception exception)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _failure ??= exception;
        }
    }

    // On a reactor's thread.
    private void OnTimer(long now)
    {
        bool isTimeout;
        lock (_gate)
        {
            if (_state.IsEnding)
            {
                return;
            }

            isTimeout = _alarm!.IsTimeout(now);
            if (_alarm.IsReportDue(now) && !_isReporting)
            {
                _isReporting = true;
                _parts!.Streams.Threads.Post(Report);
            }

            _alarm.OnTimer();
        }

        if (isTimeout)
        {
            Stop(StopCause.BatchTimeout, isKill: false);
        }

        StartMore();
    }

    // On the thread of the one who enumerates, which starts nothing itself.
    private void OnTaken()
    {
        lock (_gate)
        {
            if (_state.IsReaderBehind)
            {
                StartSoon();
            }
        }
    }

    // On a delivery thread, one at a time.
    private void Report()
    {
        Tell();
        lock (_gate)
        {
            _isReporting = false;
            if (!_state.IsEnding)
            {
                return;
            }
        }

        End();
    }

    private void Tell()
    {
        try
        {
            _options.Progress?.Report(Progress());
        }
        catch (Exception exception)
        {
            Fail(exception);
        }
    }

    // The last thing that is done with the gate held, whatever has happened.
    private void EndIfDone()
    {
        if (_state.MustWakeReader)
        {
            _state.MustWakeReader = false;
            _parts!.Backend.DoWhenIdle(_wakeReader);
        }

        if (!_state.TryEnd(MonotonicClock.Now))
        {
            return;
        }

        _alarm!.Dispose();
        if (!_isReporting)
        {
            _parts!.Streams.Threads.Post(End);
        }
    }

    // On a delivery thread: the last report is the user's code.
    private void End()
    {
        _triggers!.Dispose();
        _engine.Detach(this);
        Tell();
        _ended.SetResult();
        Results.Complete();
    }
}
