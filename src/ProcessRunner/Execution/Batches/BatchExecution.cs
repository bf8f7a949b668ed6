using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;

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
internal sealed partial class BatchExecution : IDisposable, IAsyncDisposable
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
    private readonly DeliveryJob _readInput;
    private readonly DeliveryJob _afterStop;
    private readonly DeliveryJob _report;
    private readonly DeliveryJob _end;
    private readonly BatchTriggers _triggers = new();

    private EngineParts? _parts;
    private InheritedEnvironment? _environment;
    private BatchAlarm? _alarm;
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
        Context = ExecutionContext.Capture();
        _readInput = new DeliveryJob(ReadInput, Context);
        _afterStop = new DeliveryJob(AfterStop, Context);
        _report = new DeliveryJob(Report, Context);
        _end = new DeliveryJob(End, Context);
    }

    /// <summary>What has ended and waits for the one who enumerates.</summary>
    public ResultQueue Results { get; }

    /// <summary>In which user code is called: that of the caller. Null for the default one.</summary>
    public ExecutionContext? Context { get; }

    /// <summary>Who stopped the batch first.</summary>
    public StopCause StoppedBy
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
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
        using (Uninterruptible.Lock(_gate))
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
        BackendTimer timer = parts.Backend.CreateTimer(OnTimer);
        using (Uninterruptible.Lock(_gate))
        {
            long now = MonotonicClock.Now;
            _alarm = new BatchAlarm(timer, _options, now);
            _parts = parts;
            _environment = environment;
            _alarm.Arm(MonotonicClock.Never);
            _state.Begin(gates, now);
        }

        try
        {
            // Each of them may stop the batch here and now.
            _engine.Attach(this);
            _triggers.Watch(this, _options.StopOnInterrupt, _token, tokenOfEnumeration);
        }
        catch
        {
            Stop(StopCause.Dispose, isKill: true);
            EndInput();
            throw;
        }

        if (StoppedBy == StopCause.None)
        {
            parts.Streams.Threads.Post(_readInput);
        }
        else
        {
            EndInput();
        }
    }

    /// <summary>
    /// What ended the batch, once it has ended: what the input or a progress report threw, what befell the engine, that a
    /// token was cancelled; or null.
    /// </summary>
    public Exception? Failure => _failure
        ?? (StoppedBy == StopCause.CancellationToken
            ? new OperationCanceledException("The batch was cancelled.", _triggers.Cancelled)
            : null);

    /// <summary>How far it has come. Any thread.</summary>
    public BatchProgress Progress()
    {
        using (Uninterruptible.Lock(_gate))
        {
            return _state.Progress(MonotonicClock.Now);
        }
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

        EndInput();
    }

    private void EndInput()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _state.IsInputRead = true;
            Settle();
        }
    }

    // On a reactor's thread.
    private void OnTimer(long now)
    {
        bool isTimeout;
        using (Uninterruptible.Lock(_gate))
        {
            if (_state.IsEnding)
            {
                return;
            }

            isTimeout = _alarm!.IsTimeout(now);
            if (_alarm.IsReportDue(now) && !_isReporting)
            {
                _isReporting = true;
                _parts!.Streams.Threads.Post(_report);
            }

            _alarm.OnTimer();
            Settle();
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
        using (Uninterruptible.Lock(_gate))
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
        using (Uninterruptible.Lock(_gate))
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

    // The last thing that is done with the gate held, whatever has happened. For lack of memory it is done again by the timer.
    private void Settle()
    {
        bool wasStopped = _state.StoppedBy != StopCause.None;
        try
        {
            _state.Settle();
            if (_state.MustWakeReader)
            {
                _parts!.Backend.DoWhenIdle(_wakeReader);
                _state.MustWakeReader = false;
            }
        }
        catch (OutOfMemoryException)
        {
            DoAgainSoon();
        }

        if (!wasStopped && _state.StoppedBy != StopCause.None)
        {
            OnStopped();
        }

        long now = MonotonicClock.Now;
        if (_state.TryEnd(now))
        {
            _alarm!.Dispose();
            if (!_isReporting)
            {
                _parts!.Streams.Threads.Post(_end);
            }
        }
        else if (_state is { IsEnding: false, StoppedBy: not StopCause.None } && now < _state.InputPatienceEnd)
        {
            _alarm?.Arm(_state.InputPatienceEnd);
        }
    }

    // With the gate held.
    private void DoAgainSoon() => _alarm?.Arm(MonotonicClock.After(MonotonicClock.Now, MemoryRetry.Pause));

    private void Fail(Exception exception)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _failure ??= exception;
        }
    }

    // On a delivery thread: the last report is the user's code.
    private void End()
    {
        _triggers.Dispose();
        _engine.Detach(this);
        Tell();
        MemoryRetry.Do(this, static batch => batch.TellEnd());
    }

    private void TellEnd()
    {
        _ended.TrySetResult();
        Results.Complete();
    }
}
