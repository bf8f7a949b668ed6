using System;
using System.Threading;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>A plain thread for each child that runs at the same time; each takes the next child when one has ended.</summary>
internal sealed class ThreadCrowd(IChildRunner runner) : ICrowd
{
    public void Run(ChildJob job, int children, int concurrency, Tally tally)
    {
        int started = 0;
        Thread[] threads = new Thread[concurrency];
        for (int i = 0; i < threads.Length; i++)
        {
            threads[i] = new Thread(Work) { IsBackground = true };
            threads[i].Start();
        }

        Array.ForEach(threads, thread => thread.Join());

        void Work()
        {
            while (Interlocked.Increment(ref started) <= children)
            {
                tally.Add(job, runner.Run(job));
            }
        }
    }
}
