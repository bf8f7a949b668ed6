using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs children to their ends: first some to warm up, then the measured children.</summary>
internal static class CrowdTrial
{
    public static Measurement Measure(
        ICrowd crowd, ChildJob job, int children, int concurrency, int warmUp, int windows = 1)
    {
        WarmUp(crowd, job, warmUp, concurrency);
        return Meter.Measure(children, tally => crowd.Run(job, children, concurrency, tally), windows);
    }

    /// <summary>
    /// Runs children before the measurement. One-time work in a process, such as compilation and the first threads, is
    /// not part of the cost of a child.
    /// </summary>
    public static void WarmUp(ICrowd crowd, ChildJob job, int children, int concurrency)
    {
        if (children > 0)
        {
            crowd.Run(job, children, concurrency, new Tally(children));
        }
    }
}
