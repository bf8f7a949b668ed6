using System;
using System.Threading.Tasks;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>Blocks the calling thread on a task, usually by the task's own wait.</summary>
/// <remarks>
/// The wait of a task hands over the work that is queued on the current ThreadPool thread. Under nested loops in a pool
/// at its limit, all workers then wait for work that no worker is left to run. Other ways to wait for a task keep the
/// queued work.
/// </remarks>
internal static class TaskBlocking
{
    private static volatile bool s_keepsQueuedWork;

    /// <summary>Makes every thread keep the work that is queued on it while it blocks.</summary>
    public static IDisposable KeepQueuedWork() => new Keeping();

    /// <summary>Waits until the task is complete.</summary>
    public static void Block(this Task task)
    {
        Await(task);
        task.GetAwaiter().GetResult();
    }

    /// <summary>Waits until the task is complete, and returns its result.</summary>
    public static T Block<T>(this Task<T> task)
    {
        Await(task);
        return task.GetAwaiter().GetResult();
    }

    private static void Await(IAsyncResult task)
    {
        if (s_keepsQueuedWork)
        {
            task.AsyncWaitHandle.WaitOne();
        }
    }

    private sealed class Keeping : IDisposable
    {
        public Keeping() => s_keepsQueuedWork = true;

        public void Dispose() => s_keepsQueuedWork = false;
    }
}
