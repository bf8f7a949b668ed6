using System;
using System.Threading;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>
/// Runs each concurrent child on its own plain thread. A thread takes the next child when its last child has ended.
/// </summary>
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
