using ProcessRunner.Benchmarks.Crowds;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs children to their ends: some to warm up, then those that are measured.</summary>
internal static class CrowdTrial
{
    public static Measurement Measure(
        ICrowd crowd, ChildJob job, int children, int concurrency, int warmUp, int windows = 1)
    {
        WarmUp(crowd, job, warmUp, concurrency);
        return Meter.Measure(children, tally => crowd.Run(job, children, concurrency, tally), windows);
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
