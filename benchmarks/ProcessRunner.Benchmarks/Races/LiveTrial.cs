using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Starts children that sleep and measures their cost.</summary>
internal static class LiveTrial
{
    // The runtime recompiles methods after thirty calls.
    private const int WarmUp = 200;

    private static readonly TimeSpan s_settlingTime = TimeSpan.FromSeconds(1);

    public static TimeSpan IdleTime { get; } = TimeSpan.FromSeconds(1);

    public static Measurement Measure(IChildRunner runner, RaceSettings settings)
    {
        LibC.RaiseDescriptorLimit();
        List<IRunningChild> children = new(settings.Point + settings.Children);
        int threads = ProcessState.CountThreads();
        Start(runner, WarmUp, children);
        KillAll(children);
        long managed = GC.GetTotalMemory(forceFullCollection: true);
        Start(runner, settings.Point, children);

        double[] times = new double[settings.Children];
        for (int i = 0; i < times.Length; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            Start(runner, 1, children);
            times[i] = Stopwatch.GetElapsedTime(begin).TotalMicroseconds;
        }

        Array.Sort(times);

        // The runtime recompiles frequently called code first; this cost is not caused by the children.
        Thread.Sleep(s_settlingTime);
        long held = GC.GetTotalMemory(forceFullCollection: true) - managed;
        double processor = LibC.ProcessorMilliseconds;
        Thread.Sleep(IdleTime);
        double idleProcessor = LibC.ProcessorMilliseconds - processor;
        Measurement measurement = new()
        {
            [Keys.Start] = times[times.Length / 2],
            [Keys.IdleProcessor] = idleProcessor / IdleTime.TotalSeconds,
            [Keys.ManagedPerChild] = (double)held / children.Count,
            [Keys.Threads] = ProcessState.CountThreads() - threads,
            [Keys.PeakMemory] = ProcessState.PeakMemory,
            [Keys.Children] = children.Count,
        };
        measurement[Keys.Failures] = KillAll(children);
        return measurement;
    }

    /// <summary>Starts a number of children that sleep.</summary>
    public static void Start(IChildRunner runner, int count, List<IRunningChild> children)
    {
        ChildJob sleep = ChildJobs.Sleep;
        for (int i = 0; i < count; i++)
        {
            children.Add(runner.Start(sleep));
        }
    }

    /// <summary>Kills all children and waits for them.</summary>
    /// <returns>The number of children that had stopped sleeping before, or had written something.</returns>
    public static int KillAll(List<IRunningChild> children)
    {
        int failures = 0;
        children.ForEach(child => child.Kill());
        foreach (IRunningChild child in children)
        {
            child.Wait();
            ChildReport report = child.Report();
            child.Dispose();
            if (report.ExitCode == 0 || report.OutputBytes + report.ErrorBytes != 0)
            {
                failures++;
            }
        }

        children.Clear();
        return failures;
    }
}
