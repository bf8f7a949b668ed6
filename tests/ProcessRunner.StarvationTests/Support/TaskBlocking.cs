using System;
using System.Threading.Tasks;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>Blocks the calling thread on a task, by the task's own wait as a rule.</summary>
/// <remarks>
/// The wait of a task, whoever's it is, gives away the work that is queued on a thread of the ThreadPool. Under nested loops in
/// a pool at its limit everybody waits for work that nobody is left to do then. Other ways to wait for a task keep it.
/// </remarks>
internal static class TaskBlocking
{
    private static volatile bool s_keepsQueuedWork;

    /// <summary>Has every thread block so that it keeps the work that is queued on it.</summary>
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
