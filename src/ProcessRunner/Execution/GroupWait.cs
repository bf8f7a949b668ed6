using System;
using System.Linq;
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
/// <typeparam name="T">The type of the result.</typeparam>
internal sealed class GroupWait<T>
{
    private readonly TaskCompletionSource<T> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ChildLife[] _runs;
    private readonly Action<TaskCompletionSource<T>, bool> _conclude;
    private readonly TimeSpan _limit;
    private readonly CancellationToken _token;
    private IEndWaiter[] _participants = [];
    private CancellationTokenRegistration _registration;
    private BackendTimer[] _timers = [];
    private volatile bool _hasStopped;

    private GroupWait(
        ChildLife[] runs,
        TimeSpan limit,
        Action<TaskCompletionSource<T>, bool> conclude,
        CancellationToken token)
    {
        _runs = runs;
        _conclude = conclude;
        _limit = limit;
        _token = token;
    }

    /// <summary>Waits for the ends of all runs, without a limit. The token ends the wait.</summary>
    public static Task<T> ForAll(
        ChildLife[] runs, Action<TaskCompletionSource<T>> conclude, CancellationToken token) =>
        ForAll(runs, Timeout.InfiniteTimeSpan, (ended, _) => conclude(ended), token);

    /// <summary>
    /// Waits for the ends of all runs. Each run that has not ended at the limit is killed; the token ends the wait.
    /// </summary>
    /// <param name="runs">The runs.</param>
    /// <param name="limit">The limit.</param>
    /// <param name="conclude">
    /// Completes the task once all have ended, and receives whether the limit has stopped one: with the gate of the
    /// last child held, and again after a lack of memory.
    /// </param>
    /// <param name="token">The token that ends the wait.</param>
    public static Task<T> ForAll(
        ChildLife[] runs,
        TimeSpan limit,
        Action<TaskCompletionSource<T>, bool> conclude,
        CancellationToken token)
    {
        GroupWait<T> wait = new(runs, limit, conclude, token);
        EndCountdown countdown = new(wait.Complete);
        wait._participants = Array.ConvertAll(runs, _ => countdown.CreateParticipant());
        try
        {
            wait.SetTimers();
            wait._registration = token.UnsafeRegister(static wait => ((GroupWait<T>)wait!).OnCanceled(), wait);
        }
        catch
        {
            Array.ForEach(wait._timers, static timer => timer.Dispose());
            throw;
        }

        // The end of the wait comes after this and finds the timer and the registration.
        for (int i = 0; i < runs.Length; i++)
        {
            runs[i].MarkUsed();
            countdown.Add(wait._participants[i], runs[i]);
        }

        countdown.EndAdding();
        if (token.IsCancellationRequested)
        {
            // The callback may have come before the participants.
            wait.OnCanceled();
        }

        return wait._ended.Task;
    }

    // Each engine keeps the limit for its runs: another one may be disposed before.
    private void SetTimers()
    {
        if (_limit == Timeout.InfiniteTimeSpan)
        {
            return;
        }

        long limitAt = MonotonicClock.In(_limit);
        _timers =
        [
            .. _runs.Where(static run => !run.HasEnded).Select(static run => run.Engine).Distinct()
                .Select(engine => engine.Backend.CreateTimer(_ => StopForLimit(engine))),
        ];
        Array.ForEach(_timers, timer => timer.Set(limitAt));
    }

    private void OnCanceled()
    {
        for (int i = 0; i < _runs.Length; i++)
        {
            _runs[i].Completion.Remove(_participants[i]);
        }

        Array.ForEach(_timers, static timer => timer.Dispose());
        _ended.TrySetCanceled(_token);
    }

    private void StopForLimit(EngineParts engine)
    {
        foreach (ChildLife run in _runs)
        {
            if (run.Engine == engine && !run.HasEnded)
            {
                _hasStopped = true;
                run.Stop(StopCause.WaitLimit, TimeSpan.Zero, _limit);
            }
        }
    }

    // Called with the gate of the last child held, and again after a lack of memory.
    private void Complete()
    {
        FaultPoint.AllocateManaged();

        // Does not wait for the callback, which may itself be waiting for a child's gate.
        _registration.Unregister();
        Array.ForEach(_timers, static timer => timer.Dispose());
        _conclude(_ended, _hasStopped);
    }
}
