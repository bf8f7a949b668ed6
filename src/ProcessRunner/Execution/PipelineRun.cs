using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Pumps;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents one run of a pipeline. Starts the stages one after the other, and ends once all started stages are gone.
/// A stage that cannot be started ends the stages before it.
/// </summary>
/// <remarks>
/// <para>One thread at a time starts stages: the caller's thread or, if a start is not decided at once, a delivery
/// thread, because the start of the next stage may be traced, which runs user code. That thread owns the
/// connections.</para>
/// <para><c>_gate</c> guards the list of stages and whether they are stopped. A child's gate is acquired inside it when
/// a stage is created, and never the other way round. The last stage to end reads all results and completes the task
/// with that child's gate held, so that no other thread is needed.</para>
/// </remarks>
internal sealed class PipelineRun
{
    private readonly object _gate = new();
    private readonly TaskCompletionSource<PipelineResult> _ended =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly ProcessPipeline _pipeline;
    private readonly ProcessEngine _engine;
    private readonly EngineParts _parts;
    private readonly CancellationToken _token;
    private readonly long _timeoutAt;
    private readonly List<ChildLife> _stages;
    private readonly EndCountdown _countdown;
    private readonly DeliveryJob _goOn;
    private readonly Action _postGoOn;
    private CancellationTokenRegistration _registration;
    private PipeConnection? _before;
    private PipeConnection? _behind;
    private CodeConnection? _codeBefore;
    private CodeConnection? _codeBehind;
    private InputSource? _input;
    private bool _isHandedOut;
    private bool _isTaskHandedOut;
    private Exception? _failure;
    private bool _isStopped;
    private ChildLife? _starting;

    private PipelineRun(ProcessPipeline pipeline, ProcessEngine engine, EngineParts parts, CancellationToken token)
    {
        _pipeline = pipeline;
        _engine = engine;
        _parts = parts;
        _token = token;
        _timeoutAt = MonotonicClock.In(pipeline.Timeout);
        _stages = new List<ChildLife>(pipeline.Stages.Length);
        _countdown = new EndCountdown(Complete);
        _goOn = new DeliveryJob(GoOn, ExecutionContext.Capture());
        _postGoOn = () => _parts.Streams.Threads.Post(_goOn);
    }

    /// <summary>Runs the pipeline on the calling thread. The token stops it.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted; all stages are gone.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled; all stages are gone.</exception>
    public static PipelineResult Run(ProcessPipeline pipeline, ProcessEngine engine, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        pipeline.ThrowIfUnreachable();
        EngineParts parts = StartRetry.Until(() => engine.Parts(pipeline.Stages[0]));
        PipelineRun run = new(pipeline, engine, parts, token);
        run.StopOnCancellation();
        run.OrStop(static run =>
        {
            run.StartAll();
            run.AwaitEnd();
        });
        return run._ended.Task.GetAwaiter().GetResult();
    }

    /// <summary>Starts the pipeline on the calling thread.</summary>
    /// <exception cref="Exception">A stage could not be started; all stages are gone.</exception>
    public static PipelineRun Start(ProcessPipeline pipeline, ProcessEngine engine)
    {
        EngineParts parts = StartRetry.Until(() => engine.Parts(pipeline.Stages[0]));
        PipelineRun run = new(pipeline, engine, parts, CancellationToken.None) { _isHandedOut = true };
        run.OrStop(static run => run.StartAll());
        if (run._isStopped)
        {
            run.AwaitEnd();
            run._ended.Task.GetAwaiter().GetResult();
        }

        return run;
    }

    /// <summary>Runs the pipeline without a waiting thread. The task reports every failure.</summary>
    public static Task<PipelineResult> RunAsync(ProcessPipeline pipeline, ProcessEngine engine, CancellationToken token)
    {
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled<PipelineResult>(token);
        }

        try
        {
            pipeline.ThrowIfUnreachable();
            EngineParts parts = engine.Parts(pipeline.Stages[0]);
            PipelineRun run = new(pipeline, engine, parts, token) { _isTaskHandedOut = true };
            run.StopOnCancellation();
            if (run.StartStages(isBlocking: false))
            {
                run.OnStarted();
            }

            return run._ended.Task;
        }
        catch (Exception exception)
        {
            return Task.FromException<PipelineResult>(exception);
        }
    }

    /// <summary>Gets the stages that were started.</summary>
    public IReadOnlyList<ChildLife> Stages => _stages;

    /// <summary>Gets whether a stage has not ended.</summary>
    public bool IsRunning => _stages.Exists(static stage => !stage.HasEnded);

    /// <summary>Waits for the end of all stages.</summary>
    public PipelineResult Wait()
    {
        AwaitEnd();
        return _ended.Task.GetAwaiter().GetResult();
    }

    /// <summary>Waits until all stages have ended or the limit expires.</summary>
    public bool TryWait(TimeSpan limit)
    {
        try
        {
            return BlockingWait.For(_ended.Task, limit);
        }
        catch (AggregateException)
        {
            // The wait that follows throws the exception itself.
            return true;
        }
    }

    /// <summary>Waits for the end of all stages, without a blocked thread. The token ends the wait.</summary>
    public Task<PipelineResult> WaitAsync(CancellationToken token) =>
        GroupWait<PipelineResult>.ForAll([.. _stages], Conclude, token);

    /// <summary>Waits for the end of all stages, and throws nothing.</summary>
    public void AwaitEnd() => _stages.ForEach(static stage => stage.AwaitEnd());

    /// <summary>Waits for the end of all stages, without a blocked thread. The task never fails.</summary>
    public Task AwaitEndAsync() => GroupWait<bool>.ForAll(
        [.. _stages], static ended => ended.TrySetResult(true), CancellationToken.None);

    /// <summary>
    /// Starts no further stage, and stops the existing stages. The first reason counts. Does not wait.
    /// </summary>
    public void Stop(StopCause cause, bool isKill, Exception? failure = null)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _failure ??= _isStopped ? null : failure;
            _isStopped = true;
        }

        // No stage is added after this point.
        foreach (ChildLife stage in _stages)
        {
            stage.Stop(cause, isKill ? TimeSpan.Zero : stage.Command.WholeStopGrace);
        }
    }

    private void StopOnCancellation() => _registration = _token.UnsafeRegister(
        static run => ((PipelineRun)run!).Stop(StopCause.CancellationToken, isKill: false), this);

    // An interrupt of the calling thread stops the stages that exist.
    private void OrStop(Action<PipelineRun> action)
    {
        try
        {
            action(this);
        }
        catch (ThreadInterruptedException)
        {
            Stop(StopCause.Dispose, isKill: false);
            Uninterruptible.Do(this, static run => run.AwaitEnd());
            throw;
        }
    }

    private void StartAll()
    {
        try
        {
            StartStages(isBlocking: true);
        }
        finally
        {
            // Also after an interrupt: the end of the stages is the end of the run.
            OnStarted();
        }
    }

    // Returns false if a delivery thread continues once the current start is decided.
    private bool StartStages(bool isBlocking)
    {
        while (CreateNext() is ChildLife stage)
        {
            if (isBlocking)
            {
                Start(stage);
            }
            else
            {
                _starting = stage;
                stage.StartAsync();
                if (stage.TryWhenStartDecided(_postGoOn))
                {
                    return false;
                }
            }

            OnDecided(stage);
        }

        return true;
    }

    // Runs on a delivery thread.
    private void GoOn()
    {
        OnDecided(_starting!);
        if (StartStages(isBlocking: false))
        {
            MemoryRetry.Do(this, static run => run.OnStarted());
        }
    }

    private void OnStarted()
    {
        CloseConnections();
        _countdown.EndAdding();
    }

    // Returns null if all stages exist, or if no further stage is to start.
    private ChildLife? CreateNext()
    {
        int index = _stages.Count;
        if (index == _pipeline.Stages.Length)
        {
            return null;
        }

        try
        {
            _engine.Trace(_pipeline.Stages[index]);
            using (Uninterruptible.Lock(_gate))
            {
                if (_isStopped)
                {
                    return null;
                }

                IEndWaiter end = _countdown.CreateParticipant();
                (OutputTarget? behind, InputSource? next) = Connect(index);
                StartOrder order = new(_pipeline.Stage(index, _input, behind))
                {
                    TimeoutAt = _timeoutAt,
                    Timeout = _pipeline.Timeout,
                    IsHandedOut = _isHandedOut,
                };
                _input = next;
                ChildLife stage = ChildLife.Create(order, _parts);
                _stages.Add(stage);
                _countdown.Add(end, stage);
                return stage;
            }
        }
        catch (Exception exception)
        {
            Stop(StopCause.Dispose, isKill: true, exception);
            return null;
        }
    }

    // Returns what the stage writes to, and what the next stage reads.
    private (OutputTarget? Behind, InputSource? Next) Connect(int index)
    {
        if (index == _pipeline.Stages.Length - 1)
        {
            return (null, null);
        }

        if (_pipeline.Transforms[index] is Func<Stream, Stream, CancellationToken, Task> transform)
        {
            _codeBehind = new CodeConnection(transform, _parts.Streams.Threads);
            return (_codeBehind.Target, _codeBehind.Source);
        }

        _behind = CreateConnection();
        return (OutputTarget.To(_behind), InputSource.From(_behind));
    }

    private PipeConnection CreateConnection() => _parts.Backend.Capabilities.ConnectsChildren
        ? _parts.Backend.CreateConnection()
        : new PumpedConnection();

    private static void Start(ChildLife stage)
    {
        try
        {
            stage.Start();
        }
        catch (Exception exception) when (exception is not ThreadInterruptedException)
        {
            // The stage's completion has the exception.
        }
    }

    // By now, both neighbours of a connection have inherited their ends or never will.
    private void OnDecided(ChildLife stage)
    {
        _before?.Dispose();
        _before = _behind;
        _behind = null;
        if (stage.Completion.StartFailure is ExceptionDispatchInfo failure)
        {
            Stop(StopCause.Dispose, isKill: true, failure.SourceException);
        }
        else
        {
            // The code before this stage runs with it.
            _codeBefore = _codeBehind;
            _codeBehind = null;
        }
    }

    // Code before a stage that does not run is never called.
    private void CloseConnections()
    {
        _before?.Dispose();
        _behind?.Dispose();
        _codeBefore?.Abandon();
        _codeBehind?.Abandon();
    }

    private void Complete()
    {
        // Does not wait for the callback, which may itself be waiting for a child's gate.
        _registration.Unregister();
        Conclude(_ended);
        if (!_isTaskHandedOut)
        {
            // The waits throw the exception themselves: a run for which nobody waits need not observe this task.
            _ = _ended.Task.Exception;
        }
    }

    private void Conclude(TaskCompletionSource<PipelineResult> ended)
    {
        FaultPoint.AllocateManaged();
        ProcessResult?[] results = new ProcessResult?[_pipeline.Stages.Length];
        for (int i = 0; i < _stages.Count; i++)
        {
            results[i] = _stages[i].Completion.Result;
        }

        ProcessResult? stopped = results.FirstOrDefault(result => result?.StoppedBy == StopCause.CancellationToken);
        ExceptionDispatchInfo? deliveryFailure = results
            .Where(result => result is not null && result.StoppedBy != StopCause.CancellationToken)
            .Select(result => result!.ClaimDeliveryFailure())
            .FirstOrDefault(failure => failure is not null);
        if ((_failure ?? deliveryFailure?.SourceException) is Exception exception)
        {
            ended.TrySetException(exception);
        }
        else if (stopped is not null || results.Contains(null))
        {
            ended.TrySetFromTask(FailedTask.Of<PipelineResult>(
                ResultOfException.OfCancellation(_pipeline.HiddenBy(_parts.Secrets), stopped, _token)));
        }
        else
        {
            ended.TrySetResult(new PipelineResult([.. results.Select(result => result!)], _pipeline.PipeFail));
        }
    }
}
