using System.Linq;
using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs children to their ends: some to warm up, then those that are measured.</summary>
internal static class CrowdTrial
{
    public static Measurement Measure(ICrowd crowd, ChildJob job, int children, int concurrency, int warmUp)
    {
        WarmUp(crowd, job, warmUp, concurrency);
        return Meter.Measure(children, tally => crowd.Run(job, children, concurrency, tally));
    }

    /// <summary>
    /// The same several times in one process, and the measurement that took the median time: where one is short, what else
    /// the machine does for a moment can be half of it.
    /// </summary>
    public static Measurement MeasureWindows(
        ICrowd crowd, ChildJob job, int children, int concurrency, int warmUp, int windows)
    {
        WarmUp(crowd, job, warmUp, concurrency);
        Measurement[] all = [.. Enumerable.Range(0, windows)
            .Select(_ => Measure(crowd, job, children, concurrency, warmUp: 0))
            .OrderBy(measurement => measurement[Keys.Wall])];
        Measurement median = all[windows / 2];
        median[Keys.Failures] = all.Sum(measurement => measurement[Keys.Failures]);
        return median;
    }

    /// <summary>What happens once in a process (compilation, the first threads) is no part of what a child costs.</summary>
    public static void WarmUp(ICrowd crowd, ChildJob job, int children, int concurrency)
    {
        if (children > 0)
        {
            crowd.Run(job, children, concurrency, new Tally(children));
        }
    }
}
