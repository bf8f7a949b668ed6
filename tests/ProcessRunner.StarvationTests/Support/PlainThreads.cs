using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>Runs work on threads outside the ThreadPool.</summary>
internal static class PlainThreads
{
    /// <summary>Calls the body once for every index below a count, on a number of threads.</summary>
    public static void For(int count, int threadCount, Action<int> body)
    {
        int next = -1;
        ExceptionDispatchInfo? failure = null;
        List<Thread> threads =
            [.. Enumerable.Range(0, threadCount).Select(_ => new Thread(Work) { IsBackground = true })];
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        failure?.Throw();

        void Work()
        {
            try
            {
                int index;
                while ((index = Interlocked.Increment(ref next)) < count)
                {
                    body(index);
                }
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
                Volatile.Write(ref next, count);
            }
        }
    }
}
