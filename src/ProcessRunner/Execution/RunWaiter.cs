using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution;

/// <summary>
/// One asynchronous wait for a run: a task that the thread which sees the end completes itself, so that a thread that
/// blocks on it needs no other one.
/// </summary>
/// <remarks>The fields are guarded by the child's gate.</remarks>
internal sealed class RunWaiter : TaskCompletionSource<ProcessResult>, IEndWaiter
{
    private readonly ChildLife _life;
    private readonly bool _stopsChild;
    private readonly CancellationToken _token;
    private CancellationTokenRegistration _registration;

    private RunWaiter(ChildLife life, bool stopsChild, CancellationToken token)
        : base(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        _life = life;
        _stopsChild = stopsChild;
        _token = token;
    }

    IEndWaiter? IEndWaiter.Next { get; set; }

    /// <summary>Waits for a run.</summary>
    /// <param name="life">The run.</param>
    /// <param name="stopsChild">Whether the token stops the child, and the task ends with it; else it ends the wait alone.</param>
    /// <param name="token">Stops either.</param>
    public static Task<ProcessResult> For(ChildLife life, bool stopsChild, CancellationToken token)
    {
        FaultPoint.Allocate("managed memory");
        RunWaiter waiter = new(life, stopsChild, token);
        life.Completion.Add(waiter);
        if (token.CanBeCanceled && !waiter.Task.IsCompleted)
        {
            // Outside of the gate: a token that has been cancelled calls back here and now.
            life.Completion.Keep(waiter, token.UnsafeRegister(static waiter => ((RunWaiter)waiter!).OnCancelled(), waiter));
        }

        return waiter.Task;
    }

    /// <summary>Keeps the registration until the end. With the gate held.</summary>
    public void Keep(CancellationTokenRegistration registration)
    {
        _registration = registration;
        if (Task.IsCompleted)
        {
            registration.Unregister();
        }
    }

    public void OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure)
    {
        FaultPoint.Allocate("managed memory");

        // Without a wait: the callback may be waiting for the gate.
        _registration.Unregister();
        bool isStopped = _stopsChild && result is null or { StoppedBy: StopCause.CancellationToken };
        if (isStopped && _token.IsCancellationRequested)
        {
            SetCanceled(result);
        }
        else if ((startFailure ?? result!.DeliveryFailureWithResult) is ExceptionDispatchInfo failure)
        {
            TrySetException(failure.SourceException);
        }
        else
        {
            TrySetResult(result!);
        }
    }

    private void OnCancelled()
    {
        if (_stopsChild)
        {
            _life.Stop(StopCause.CancellationToken, _life.Command.StopGrace);
        }
        else
        {
            _life.Completion.Remove(this);
            TrySetCanceled(_token);
        }
    }

    // The task is cancelled, and its exception has the result.
    private void SetCanceled(ProcessResult? result)
    {
        OperationCanceledException exception = new($"Cancelled: {_life.Command}", _token);
        if (result is not null)
        {
            ResultOfException.Set(exception, result);
        }

        TrySetFromTask(FailedTask.Of<ProcessResult>(exception));
    }
}
