using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents one wait for several runs. The thread that sees the last end, or the first one, completes it, so that a
/// thread blocked on it depends on no other thread.
/// </summary>
internal sealed class GroupWait
{
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ChildLife[] _runs;
    private readonly long _limitAt;
    private readonly CancellationToken _token;
    private IEndWaiter[] _participants = [];
    private CancellationTokenRegistration _registration;
    private BackendTimer? _timer;

    private GroupWait(ChildLife[] runs, long limitAt, CancellationToken token)
    {
        _runs = runs;
        _limitAt = limitAt;
        _token = token;
    }

    /// <summary>
    /// Waits for the ends of all runs. Each run that has not ended at the limit is killed; the token ends the wait.
    /// </summary>
    /// <returns>A task: whether all ended within the limit.</returns>
    public static Task<bool> ForAll(ChildLife[] runs, TimeSpan limit, CancellationToken token)
    {
        GroupWait wait = new(runs, MonotonicClock.After(MonotonicClock.Now, limit), token);
        EndCountdown countdown = new(wait.Complete);
        wait._participants = Array.ConvertAll(runs, _ => countdown.CreateParticipant());
        try
        {
            wait.SetTimer();
            wait._registration = token.UnsafeRegister(static wait => ((GroupWait)wait!).OnCancelled(), wait);
        }
        catch
        {
            wait._timer?.Dispose();
            throw;
        }

        // The end of the wait comes after this and finds the timer and the registration.
        for (int i = 0; i < runs.Length; i++)
        {
            countdown.Add(wait._participants[i], runs[i]);
        }

        countdown.EndAdding();
        if (token.IsCancellationRequested)
        {
            // The callback may have come before the participants.
            wait.OnCancelled();
        }

        return wait._ended.Task;
    }

    /// <summary>Blocks the calling thread until one run has ended or the limit has passed.</summary>
    public static void ForAny(ChildLife[] runs, TimeSpan limit)
    {
        TaskCompletionSource first = new(TaskCreationOptions.RunContinuationsAsynchronously);
        FirstEnd[] ends = Array.ConvertAll(runs, _ => new FirstEnd(first));
        for (int i = 0; i < runs.Length; i++)
        {
            runs[i].Completion.Add(ends[i]);
        }

        try
        {
            BlockingWait.For(first.Task, limit);
        }
        finally
        {
            for (int i = 0; i < runs.Length; i++)
            {
                runs[i].Completion.Remove(ends[i]);
            }
        }
    }

    private void SetTimer()
    {
        if (_limitAt != MonotonicClock.Never && Array.Find(_runs, static run => !run.HasEnded) is ChildLife live)
        {
            _timer = live.Engine.Backend.CreateTimer(_ => StopForLimit());
            _timer.Set(_limitAt);
        }
    }

    private void OnCancelled()
    {
        for (int i = 0; i < _runs.Length; i++)
        {
            _runs[i].Completion.Remove(_participants[i]);
        }

        _timer?.Dispose();
        _ended.TrySetCanceled(_token);
    }

    private void StopForLimit() => Array.ForEach(_runs, static run => run.Stop(StopCause.WaitLimit, TimeSpan.Zero));

    // Called with the gate of the last child held, and again after a lack of memory.
    private void Complete()
    {
        FaultPoint.Allocate("managed memory");

        // Does not wait for the callback, which may itself be waiting for a child's gate.
        _registration.Unregister();
        _timer?.Dispose();
        if (Failure() is ExceptionDispatchInfo failure)
        {
            _ended.TrySetException(failure.SourceException);
        }
        else
        {
            _ended.TrySetResult(MonotonicClock.Now < _limitAt);
        }
    }

    private ExceptionDispatchInfo? Failure()
    {
        foreach (ChildLife run in _runs)
        {
            if ((run.Completion.StartFailure ?? run.Completion.Result!.DeliveryFailureWithResult)
                is ExceptionDispatchInfo failure)
            {
                return failure;
            }
        }

        return null;
    }

    private sealed class FirstEnd(TaskCompletionSource first) : IEndWaiter
    {
        IEndWaiter? IEndWaiter.Next { get; set; }

        void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure) => first.TrySetResult();
    }
}
