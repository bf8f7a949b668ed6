using System;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Measures what work with children costs this process.</summary>
internal static class Meter
{
    /// <summary>Measures work that adds its children to a tally.</summary>
    public static Measurement Measure(int children, Action<Tally> work)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Tally tally = new(children);
        long workItems = ThreadPool.CompletedWorkItemCount;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double processor = LibC.ProcessorMilliseconds;
        Stopwatch watch = Stopwatch.StartNew();
        tally.Begin();
        work(tally);
        watch.Stop();

        // Before anything else: what comes now is compiled now.
        processor = LibC.ProcessorMilliseconds - processor;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        workItems = ThreadPool.CompletedWorkItemCount - workItems;
        Measurement measurement = new()
        {
            [Keys.Wall] = watch.Elapsed.TotalMilliseconds,
            [Keys.Processor] = processor,
            [Keys.Allocated] = allocated,
            [Keys.WorkItems] = workItems,
            [Keys.Threads] = ProcessState.CountThreads(),
            [Keys.PeakMemory] = ProcessState.PeakMemory,
            [Keys.Children] = tally.Ended,
            [Keys.Failures] = tally.Failures + Math.Abs(children - tally.Ended),
            [Keys.Bytes] = tally.Bytes,
        };
        for (int i = 1; i <= 10; i++)
        {
            measurement[Keys.Tenth(i)] = tally.MicrosecondsInTenth(i);
        }

        return measurement;
    }
}
