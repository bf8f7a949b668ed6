using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <content>The waits for several executors.</content>
public sealed partial class ProcessExecutor
{
    /// <summary>
    /// Waits for many executors from one thread, and kills the children that are still running at the limit.
    /// </summary>
    /// <param name="executors">The executors, each with a run, in any order.</param>
    /// <param name="limit">
    /// The limit for all of them together; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </param>
    /// <returns>True if all ended within the limit. In both cases all have ended when the method returns.</returns>
    /// <exception cref="ArgumentNullException">The list or one of its items is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">One of the executors has had no run yet.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The children continue, without the limit.
    /// </exception>
    /// <exception cref="Exception">
    /// A callback, stream or input of the caller threw this exception. All children have ended by then.
    /// </exception>
    public static bool WaitAll(IEnumerable<ProcessExecutor> executors, TimeSpan limit)
    {
        TimeLimit.Validated(limit, nameof(limit));
        ChildLife[] children = RunsOf(executors);
        long end = MonotonicClock.In(limit);
        bool allInTime = Array.TrueForAll(children, child => child.TryWait(MonotonicClock.Until(end)));
        if (!allInTime)
        {
            Array.ForEach(children, child => child.Stop(StopCause.WaitLimit, TimeSpan.Zero, limit));
            Array.ForEach(children, child => child.AwaitEnd());
        }

        Array.ForEach(children, child => child.Wait());
        return allInTime;
    }

    /// <summary>
    /// Waits for many executors, and kills the children that are still running at the limit. Canceling ends the wait,
    /// and the children continue.
    /// </summary>
    /// <param name="executors">The executors, each with a run, in any order.</param>
    /// <param name="limit">
    /// The limit for all of them together; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </param>
    /// <param name="cancellationToken">Ends the wait, and with it the limit.</param>
    /// <returns>
    /// A task that needs no ThreadPool thread to complete, so it is safe to block on it: true if all ended within the
    /// limit. In both cases all have ended when it completes.
    /// </returns>
    /// <exception cref="ArgumentNullException">The list or one of its items is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">One of the executors has had no run yet.</exception>
    /// <exception cref="OperationCanceledException">In the task: the token was canceled.</exception>
    /// <exception cref="Exception">
    /// In the task: a callback, stream or input of the caller threw this exception.
    /// </exception>
    public static Task<bool> WaitAllAsync(
        IEnumerable<ProcessExecutor> executors, TimeSpan limit, CancellationToken cancellationToken = default)
    {
        TimeLimit.Validated(limit, nameof(limit));
        return ExecutorWaits.ForAll(RunsOf(executors), limit, cancellationToken);
    }

    /// <summary>
    /// Waits until one of several executors has ended, on the calling thread, and kills no child: all others continue,
    /// also after the limit.
    /// </summary>
    /// <param name="executors">The executors, each with a run, in any order.</param>
    /// <param name="limit">
    /// The limit. Zero only checks; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </param>
    /// <returns>
    /// An executor whose last run has ended: the first in the list, if several have; or null if the limit passed.
    /// </returns>
    /// <exception cref="ArgumentNullException">The list or one of its items is null.</exception>
    /// <exception cref="ArgumentException">The list is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">One of the executors has had no run yet.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The children continue.
    /// </exception>
    public static ProcessExecutor? WaitAny(IEnumerable<ProcessExecutor> executors, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(executors);
        TimeLimit.Validated(limit, nameof(limit));
        ProcessExecutor[] all = [.. executors];
        ChildLife[] runs = RunsOf(all);
        if (all.Length == 0)
        {
            throw new ArgumentException("There is no executor to wait for.", nameof(executors));
        }

        ExecutorWaits.ForAny(runs, limit);
        int ended = Array.FindIndex(runs, static run => run.HasEnded);
        return ended < 0 ? null : all[ended];
    }

    private static ChildLife[] RunsOf(IEnumerable<ProcessExecutor> executors)
    {
        ArgumentNullException.ThrowIfNull(executors);
        return
        [
            .. executors.Select(executor => executor?.Started ?? throw new ArgumentNullException(nameof(executors))),
        ];
    }
}
