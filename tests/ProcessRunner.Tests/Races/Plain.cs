using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Races;

/// <summary>Repeats work on several plain threads outside the ThreadPool.</summary>
internal static class Plain
{
    public static void Threads(int count, int repetitions, Action<int> body)
    {
        int rounds = Crowd.Of(repetitions);
        int next = -1;
        ConcurrentQueue<Exception> failures = [];
        Thread[] threads = [.. Enumerable.Range(0, count).Select(_ => new Thread(() =>
        {
            try
            {
                for (int i; failures.IsEmpty && (i = Interlocked.Increment(ref next)) < rounds;)
                {
                    body(i);
                }
            }
            catch (Exception exception)
            {
                failures.Enqueue(exception);
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        if (!failures.IsEmpty)
        {
            throw new AggregateException(failures);
        }
    }

    /// <summary>Takes a little time that differs between repetitions.</summary>
    public static void Dither(int repetition) => Thread.SpinWait(repetition * 37 % 20_000);
}
