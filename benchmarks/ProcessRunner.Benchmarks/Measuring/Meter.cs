using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Measures the cost of work with children for this process.</summary>
internal static class Meter
{
    /// <summary>Measures work that adds its children to a tally.</summary>
    /// <param name="children">The number of children that the work adds.</param>
    /// <param name="work">The work.</param>
    /// <param name="windows">
    /// The number of repetitions. The repetition with the median time counts: in a short window, a moment of other load
    /// on the machine can be half of the time.
    /// </param>
    public static Measurement Measure(int children, Action<Tally> work, int windows = 1)
    {
        Window[] all = new Window[windows];
        for (int i = 0; i < windows; i++)
        {
            all[i] = new Window(children);
            all[i].Measure(work);
        }

        // The sort comes after the last window: the runtime compiles newly called code in the background, which would
        // disturb the next window.
        Array.Sort(all, (one, other) => one.Wall.CompareTo(other.Wall));
        Window median = all[windows / 2];
        Measurement measurement = new()
        {
            [Keys.Wall] = median.Wall.TotalMilliseconds,
            [Keys.Processor] = median.Processor,
            [Keys.Allocated] = median.Allocated,
            [Keys.WorkItems] = median.WorkItems,
            [Keys.Threads] = ProcessState.CountThreads(),
            [Keys.PeakMemory] = ProcessState.PeakMemory,
            [Keys.Children] = median.Tally.Ended,
            [Keys.Failures] = all.Sum(window => window.Tally.Failures + Math.Abs(children - window.Tally.Ended)),
            [Keys.Bytes] = median.Tally.Bytes,
        };
        for (int i = 1; i <= 10; i++)
        {
            measurement[Keys.Tenth(i)] = median.Tally.MicrosecondsInTenth(i);
        }

        return measurement;
    }

    private sealed class Window(int children)
    {
        public Tally Tally { get; } = new(children);

        public TimeSpan Wall { get; private set; }

        public double Processor { get; private set; }

        public long Allocated { get; private set; }

        public long WorkItems { get; private set; }

        public void Measure(Action<Tally> work)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            WorkItems = ThreadPool.CompletedWorkItemCount;
            Allocated = GC.GetTotalAllocatedBytes(precise: true);
            Processor = LibC.ProcessorMilliseconds;
            Stopwatch watch = Stopwatch.StartNew();
            Tally.Begin();
            work(Tally);
            watch.Stop();
            Processor = LibC.ProcessorMilliseconds - Processor;
            Allocated = GC.GetTotalAllocatedBytes(precise: true) - Allocated;
            WorkItems = ThreadPool.CompletedWorkItemCount - WorkItems;
            Wall = watch.Elapsed;
        }
    }
}
