using System;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>Blocks the calling thread until a task completes, with the least harm to the ThreadPool.</summary>
/// <remarks>
/// <see cref="Task.Wait()"/> is the only blocking wait that the pool can see: the pool replaces the blocked thread at
/// once, so that a loop over many children keeps its degree of parallelism. However, it also moves the work items
/// queued on the blocked thread to the other threads. That causes a deadlock if the pool cannot grow: under nested
/// loops in a pool at its limit, every thread then waits for work that it could have done itself. In that case the
/// thread blocks unseen by the pool.
/// </remarks>
internal static class BlockingWait
{
    /// <summary>Waits until the task completes.</summary>
    public static void For(Task task) => For(task, Timeout.InfiniteTimeSpan);

    /// <summary>Waits until the task completes or the limit expires.</summary>
    /// <returns>Whether the task is complete.</returns>
    public static bool For(Task task, TimeSpan limit)
    {
        // A wait of the runtime counts whole ticks of a coarse clock, and can end a millisecond early.
        long end = MonotonicClock.In(limit);
        do
        {
            int milliseconds = end == MonotonicClock.Never
                ? Timeout.Infinite
                : MonotonicClock.MillisecondsUntil(end, MonotonicClock.Now);
            if (Wait(task, milliseconds))
            {
                return true;
            }
        }
        while (MonotonicClock.Now < end);
        return false;
    }

    private static bool Wait(Task task, int milliseconds) =>
        Thread.CurrentThread.IsThreadPoolThread && PoolCanGrow()
            ? task.Wait(milliseconds)
            : Task.WaitAll([task], milliseconds);

    private static bool PoolCanGrow()
    {
        ThreadPool.GetMaxThreads(out int most, out _);
        return ThreadPool.ThreadCount < most;
    }
}
