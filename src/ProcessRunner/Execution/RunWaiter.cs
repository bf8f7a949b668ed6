using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents one asynchronous wait for a run. The thread that sees the end completes this task itself, so that a
/// thread blocked on it depends on no other thread.
/// </summary>
/// <remarks>The child's gate guards the fields.</remarks>
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
    /// <param name="stopsChild">
    /// Whether the token stops the child, which then ends the task; otherwise the token ends the wait alone.
    /// </param>
    /// <param name="token">The token that stops the child or ends the wait.</param>
    public static Task<ProcessResult> For(ChildLife life, bool stopsChild, CancellationToken token)
    {
        FaultPoint.AllocateManaged();
        RunWaiter waiter = new(life, stopsChild, token);
        life.Completion.Add(waiter);
        if (token.CanBeCanceled && !waiter.Task.IsCompleted)
        {
            // Called without the gate: a token that is already canceled calls back synchronously.
            life.Completion.Keep(
                waiter, token.UnsafeRegister(static waiter => ((RunWaiter)waiter!).OnCanceled(), waiter));
        }

        return waiter.Task;
    }

    /// <summary>Keeps the registration until the end. Requires the gate.</summary>
    public void Keep(CancellationTokenRegistration registration)
    {
        _life.Child.AssertGate();
        _registration = registration;
        if (Task.IsCompleted)
        {
            registration.Unregister();
        }
    }

    public void OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure)
    {
        FaultPoint.AllocateManaged();

        // Does not wait for the callback, which may itself be waiting for the gate.
        _registration.Unregister();
        bool isStopped = _stopsChild && result is null or { StoppedBy: StopCause.CancellationToken };
        if (isStopped && _token.IsCancellationRequested)
        {
            TrySetFromTask(FailedTask.Of<ProcessResult>(
                ResultOfException.OfCancellation(_life.Command, result, _token)));
        }
        else if ((startFailure ?? result!.ClaimDeliveryFailure()) is ExceptionDispatchInfo failure)
        {
            TrySetException(failure.SourceException);
        }
        else
        {
            TrySetResult(result!);
        }
    }

    private void OnCanceled()
    {
        if (_stopsChild)
        {
            _life.Stop(StopCause.CancellationToken);
        }
        else
        {
            _life.Completion.Remove(this);
            TrySetCanceled(_token);
        }
    }
}
