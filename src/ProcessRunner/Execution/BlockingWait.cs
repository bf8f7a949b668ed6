using System;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Execution;

/// <summary>Blocks the calling thread until a task is complete, in the way that harms a ThreadPool thread's pool least.</summary>
/// <remarks>
/// Of all ways to block, <see cref="Task.Wait()"/> is the one that the pool sees: it makes up for the thread at once, so
/// that a loop over many children keeps its degree. But it also takes the work that is queued on the blocked thread away
/// from it and gives it to the other threads, which is deadly where there can be none: under nested loops in a pool at
/// its limit every thread waits for work that it could have done itself. There the thread blocks unseen.
/// </remarks>
internal static class BlockingWait
{
    // What a task takes at most: 24 days.
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>Waits until the task is complete.</summary>
    public static void For(Task task) => For(task, Timeout.InfiniteTimeSpan);

    /// <summary>Waits until the task is complete, but not longer than a limit.</summary>
    /// <returns>Whether it is complete.</returns>
    public static bool For(Task task, TimeSpan limit)
    {
        while (limit > s_longest)
        {
            if (For(task, s_longest))
            {
                return true;
            }

            limit -= s_longest;
        }

        return Thread.CurrentThread.IsThreadPoolThread && PoolCanGrow()
            ? task.Wait(limit)
            : Task.WaitAll([task], limit);
    }

    private static bool PoolCanGrow()
    {
        ThreadPool.GetMaxThreads(out int most, out _);
        return ThreadPool.ThreadCount < most;
    }
}
