using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution.Telemetry;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Represents one run of a batch. Reads the input, starts and stops children as the state decides, and hands the
/// results to the enumerating thread.
/// </summary>
/// <remarks>
/// <para>Threads: a delivery thread reads the input. Reactors start the children: the reactor that sees a child end
/// starts the next child and serves it. A timer on one of the reactors makes the starts that no end triggers. A start
/// that could block or runs user code (a file to open, a trace) has a delivery thread of its own.</para>
/// <para>States: new; begun; ending (nothing runs, and nothing will); ended. A stop can come at any time. <c>_gate</c>
/// guards all mutable state. No child's gate is acquired with it held, and it is not acquired with a child's gate held.
/// It is acquired inside no other lock. The locks of the results, of a reactor and of the delivery threads may be
/// acquired inside it.</para>
/// </remarks>
internal sealed partial class BatchExecution : IDisposable, IAsyncDisposable
{
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
        Func<CancellationToken, IEnumerable<BatchItem>> source,
        BatchOptions options,
        CancellationToken cancellationToken,
        bool isReadAtEnd = false)
    {
        _options = options;
        _token = cancellationToken;
        _engine = options.Engine ?? ProcessEngine.Shared;
        Results = new ResultQueue(OnTaken);
        _wakeReader = Results.Wake;
        _state = new BatchState(options, Results, isReadAtEnd);
        _input = new BatchInput(source, options, _gate, _state);
        Context = ExecutionContext.Capture();
        _readInput = new DeliveryJob(ReadInput, Context);
        _afterStop = new DeliveryJob(AfterStop, Context);
        _report = new DeliveryJob(Report, Context);
        _end = new DeliveryJob(End, Context);
    }

    /// <summary>Gets the results that wait for the enumerating thread.</summary>
    public ResultQueue Results { get; }

    /// <summary>Gets the context in which user code runs: the caller's, or null for the default context.</summary>
    public ExecutionContext? Context { get; }

    /// <summary>Gets the first cause of a stop.</summary>
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

    /// <summary>Begins the batch. Can be called once.</summary>
    /// <param name="isBlocking">Whether the calling thread may wait while the system lacks a resource.</param>
    /// <param name="tokenOfEnumeration">A token that stops the batch, as the batch's own token does.</param>
    public void Begin(bool isBlocking, CancellationToken tokenOfEnumeration = default)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_hasBegun)
            {
                throw new InvalidOperationException(
                    "The results of a batch can be enumerated once; run the commands again.");
            }

            _hasBegun = true;
        }

        EngineParts parts = isBlocking
            ? StartRetry.Until(() => _engine.Parts(first: null))
            : _engine.Parts(first: null);
        InheritedEnvironment environment = parts.Backend.TakeEnvironment();
        BackendTimer timer = parts.Backend.CreateTimer(OnTimer);
        StartGates gates = GatesOrDispose(timer, parts.Backend);
        using (Uninterruptible.Lock(_gate))
        {
            long now = MonotonicClock.Now;
            _alarm = new BatchAlarm(timer, _options, now);
            _parts = parts;
            _environment = environment;
            _alarm.Arm(MonotonicClock.Never);
            _state.Begin(gates, now);
        }

        Watch(tokenOfEnumeration);
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
    /// Gets the exception that ended the batch, once it has ended: thrown by the input or by a progress report, raised
    /// because the engine failed, or raised because a token was canceled; otherwise null.
    /// </summary>
    public Exception? Failure => _failure
        ?? (StoppedBy == StopCause.CancellationToken
            ? new OperationCanceledException("The batch was canceled.", _triggers.Canceled)
            : null);

    /// <summary>Returns the progress of the batch. Thread-safe.</summary>
    public BatchProgress Progress()
    {
        using (Uninterruptible.Lock(_gate))
        {
            return _state.Progress(MonotonicClock.Now);
        }
    }

    /// <summary>Returns the running commands, the longest first. Thread-safe.</summary>
    public IReadOnlyList<RunningItem> Running()
    {
        using (Uninterruptible.Lock(_gate))
        {
            return _state.Running(MonotonicClock.Now);
        }
    }

    // Registers the batch with all that may stop it.
    private void Watch(CancellationToken tokenOfEnumeration)
    {
        try
        {
            // Each of these calls may stop the batch synchronously.
            EngineRegistry.Add(this);
            _engine.Attach(this);
            _triggers.Watch(this, _options.StopOnInterrupt, _token, tokenOfEnumeration);
        }
        catch
        {
            Stop(StopCause.Dispose, isKill: true);
            EndInput();
            throw;
        }
    }

    private StartGates GatesOrDispose(BackendTimer timer, ProcessBackend backend)
    {
        try
        {
            return new StartGates(backend, _options);
        }
        catch
        {
            timer.Dispose();
            throw;
        }
    }

    // Runs on a delivery thread.
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

    // Runs on a reactor's thread.
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

        StartMoreOnTimer();
    }

    // Runs on the enumerating thread, which starts nothing itself.
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

    // Runs on a delivery thread, one report at a time.
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

    // The last step with the gate held, after any event. If memory is lacking, the timer repeats it.
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

    // Requires the gate.
    private void DoAgainSoon()
    {
        Uninterruptible.AssertHeld(_gate);
        _alarm?.Arm(MonotonicClock.In(MemoryRetry.Pause));
    }

    private void Fail(Exception exception)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _failure ??= exception;
        }
    }

    // Runs on a delivery thread, because the last report is user code.
    private void End()
    {
        _triggers.Dispose();
        EngineRegistry.Remove(this);
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
