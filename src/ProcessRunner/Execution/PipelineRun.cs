using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Faults;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>
/// One run of a pipeline: starts its stages one after the other, and ends once all that were started are gone. A stage
/// that cannot be started ends those before it.
/// </summary>
/// <remarks>
/// <para>One thread at a time starts stages: the caller's and, where a start is not decided at once, a delivery thread,
/// since the start of the next stage may be traced, which is user code. That thread owns the connections.</para>
/// <para><c>_gate</c> guards which stages there are and whether they are stopped. A child's gate is taken inside it,
/// where a stage is made, and never the other way round. Each stage writes its own result; the last one to end reads them
/// all and completes the task, with that child's gate held, so that no other thread is needed.</para>
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
    private readonly ProcessResult?[] _results;
    private readonly List<ChildLife> _stages;
    private readonly StageEnd _starter;
    private readonly DeliveryJob _goOn;
    private readonly Action _postGoOn;
    private CancellationTokenRegistration _registration;
    private PipeConnection? _before;
    private PipeConnection? _behind;
    private Exception? _failure;
    private bool _isStopped;
    private ChildLife? _starting;

    // The stages that have not ended, and the one who starts them.
    private int _left = 1;

    private PipelineRun(ProcessPipeline pipeline, ProcessEngine engine, EngineParts parts, CancellationToken token)
    {
        _pipeline = pipeline;
        _engine = engine;
        _parts = parts;
        _token = token;
        _results = new ProcessResult?[pipeline.Stages.Length];
        _stages = new List<ChildLife>(_results.Length);
        _starter = new StageEnd(this, index: null);
        _goOn = new DeliveryJob(GoOn, ExecutionContext.Capture());
        _postGoOn = () => _parts.Streams.Threads.Post(_goOn);
    }

    /// <summary>Runs it on the calling thread.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted; all stages are gone.</exception>
    public static PipelineResult Run(ProcessPipeline pipeline, ProcessEngine engine)
    {
        pipeline.ThrowIfUnreachable();
        EngineParts parts = StartRetry.Until(() => engine.Parts(pipeline.Stages[0]));
        PipelineRun run = new(pipeline, engine, parts, CancellationToken.None);
        try
        {
            run.StartStages(isBlocking: true);
            run.OnStarted();
            run.AwaitStages();
        }
        catch (ThreadInterruptedException)
        {
            run.Stop(StopCause.Dispose, isKill: false);
            run.CloseConnections();
            Uninterruptible.Do(run, static run => run.AwaitStages());
            throw;
        }

        return run._ended.Task.GetAwaiter().GetResult();
    }

    /// <summary>Runs it without a thread that waits. Whatever goes wrong is told by the task.</summary>
    public static Task<PipelineResult> RunAsync(ProcessPipeline pipeline, ProcessEngine engine, CancellationToken token)
    {
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled<PipelineResult>(token);
        }

        try
        {
            pipeline.ThrowIfUnreachable();
            PipelineRun run = new(pipeline, engine, engine.Parts(pipeline.Stages[0]), token);
            run._registration = token.UnsafeRegister(
                static run => ((PipelineRun)run!).Stop(StopCause.CancellationToken, isKill: false), run);
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

    // False if a delivery thread goes on, once the start that is under way is decided.
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

    // On a delivery thread.
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
        _starter.CountDown();
    }

    // Null if all are there, or no further one is to be.
    private ChildLife? CreateNext()
    {
        int index = _stages.Count;
        if (index == _results.Length)
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

                StageEnd end = new(this, index);
                _behind = index < _results.Length - 1 ? _parts.Backend.Connect(_pipeline.Stages[index]) : null;
                ChildLife stage = ChildLife.Create(new StartOrder(_pipeline.Stage(index, _before, _behind)), _parts);
                _stages.Add(stage);
                Interlocked.Increment(ref _left);
                stage.Completion.Add(end);
                return stage;
            }
        }
        catch (Exception exception)
        {
            Stop(StopCause.Dispose, isKill: true, exception);
            return null;
        }
    }

    private static void Start(ChildLife stage)
    {
        try
        {
            stage.Start();
        }
        catch (Exception exception) when (exception is not ThreadInterruptedException)
        {
            // The stage's completion has it.
        }
    }

    // Both neighbours of a connection have their ends by now, or will never have them.
    private void OnDecided(ChildLife stage)
    {
        _before?.Dispose();
        _before = _behind;
        _behind = null;
        if (stage.Completion.StartFailure is ExceptionDispatchInfo failure)
        {
            Stop(StopCause.Dispose, isKill: true, failure.SourceException);
        }
    }

    private void CloseConnections()
    {
        _before?.Dispose();
        _behind?.Dispose();
    }

    private void AwaitStages() => _stages.ForEach(static stage => stage.AwaitEnd());

    // Starts nothing more, and stops what is there. The first reason counts.
    private void Stop(StopCause cause, bool isKill, Exception? failure = null)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _failure ??= _isStopped ? null : failure;
            _isStopped = true;
        }

        // No further one is added now.
        foreach (ChildLife stage in _stages)
        {
            stage.Stop(cause, isKill ? TimeSpan.Zero : stage.Command.StopGrace);
        }
    }

    private void Complete()
    {
        FaultPoint.Allocate("managed memory");

        // Without a wait: the callback may be waiting for a child's gate.
        _registration.Unregister();
        ProcessResult? stopped =
            _results.FirstOrDefault(result => result?.StoppedBy == StopCause.CancellationToken);
        ExceptionDispatchInfo? deliveryFailure = _results
            .Where(result => result is not null && result.StoppedBy != StopCause.CancellationToken)
            .Select(result => result!.DeliveryFailureWithResult)
            .FirstOrDefault(failure => failure is not null);
        if ((_failure ?? deliveryFailure?.SourceException) is Exception exception)
        {
            _ended.SetException(exception);
        }
        else if (stopped is not null || _results.Contains(null))
        {
            _ended.SetFromTask(FailedTask.Of<PipelineResult>(Cancellation(stopped)));
        }
        else
        {
            _ended.SetResult(new PipelineResult([.. _results.Select(result => result!)], _pipeline.PipeFail));
        }
    }

    private OperationCanceledException Cancellation(ProcessResult? stopped)
    {
        OperationCanceledException exception = new($"Cancelled: {_pipeline}", _token);
        if (stopped is not null)
        {
            ResultOfException.Set(exception, stopped);
        }

        return exception;
    }

    /// <summary>One of those that the end of the pipeline waits for: a stage, or the one who starts them.</summary>
    private sealed class StageEnd(PipelineRun run, int? index) : IEndWaiter
    {
        private bool _isCounted;
        private bool _isLast;

        IEndWaiter? IEndWaiter.Next { get; set; }

        void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure)
        {
            run._results[index!.Value] = result;
            CountDown();
        }

        // Can be done anew where there was no memory for it.
        public void CountDown()
        {
            if (!_isCounted)
            {
                _isCounted = true;
                _isLast = Interlocked.Decrement(ref run._left) == 0;
            }

            if (_isLast)
            {
                run.Complete();
            }
        }
    }
}
