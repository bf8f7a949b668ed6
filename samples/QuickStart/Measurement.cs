using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace QuickStart;

/// <summary>Represents the cost of running a number of children under Parallel.ForEach.</summary>
internal sealed record Measurement(
    string Runner,
    int Children,
    int Failures,
    long Bytes,
    TimeSpan WallTime,
    int PoolThreadsBefore,
    int PoolThreadsAfter)
{
    public static Measurement Of(IChildRunner runner, int children)
    {
        int failures = 0;
        long bytes = 0;
        int poolThreadsBefore = ThreadPool.ThreadCount;
        Stopwatch watch = Stopwatch.StartNew();
        Parallel.ForEach(Enumerable.Range(0, children), _ =>
        {
            ChildReport report = runner.RunOne();
            Interlocked.Add(ref bytes, report.Bytes);
            if (!report.IsComplete)
            {
                Interlocked.Increment(ref failures);
            }
        });
        return new Measurement(
            runner.Name, children, failures, bytes, watch.Elapsed, poolThreadsBefore, ThreadPool.ThreadCount);
    }
}
