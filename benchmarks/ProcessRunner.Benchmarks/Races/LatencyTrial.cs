using System;
using System.Collections.Generic;
using System.Globalization;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Runs children that write the clock as their last act while others sleep.</summary>
internal static class LatencyTrial
{
    public static TimeSpan Sleep { get; } = TimeSpan.FromMilliseconds(5);

    public static Measurement Measure(IChildRunner runner, RaceSettings settings)
    {
        LibC.RaiseDescriptorLimit();
        List<IRunningChild> sleepers = new(settings.Point);
        LiveTrial.Start(runner, settings.Point, sleepers);
        ChildJob job = ChildJobs.Clock(Sleep);
        int failures = 0;

        // The runtime stops every thread now and then while it recompiles frequently called code.
        for (int i = 0; i < 2 * settings.Children; i++)
        {
            _ = Sample(runner, job);
        }

        List<double> samples = new(settings.Children);
        for (int i = 0; i < settings.Children; i++)
        {
            double? sample = Sample(runner, job);
            samples.Add(sample ?? 0);
            failures += sample is null ? 1 : 0;
        }

        samples.Sort();
        failures += LiveTrial.KillAll(sleepers);
        return new Measurement
        {
            [Keys.Median] = samples[samples.Count / 2],
            [Keys.Percentile99] = samples[samples.Count * 99 / 100],
            [Keys.Longest] = samples[^1],
            [Keys.Children] = samples.Count,
            [Keys.Failures] = failures,
        };
    }

    // The sample is in microseconds; null if the child failed, or ended in the future.
    private static double? Sample(IChildRunner runner, ChildJob job)
    {
        using IRunningChild child = runner.Start(job);
        child.Wait();
        long seen = ChildJobs.ReadClock();
        ChildReport report = child.Report();
        return job.IsFulfilledBy(report)
            && long.TryParse(report.Output, NumberStyles.Integer, CultureInfo.InvariantCulture, out long written)
            && seen >= written
            ? (seen - written) / 1e3
            : null;
    }
}
