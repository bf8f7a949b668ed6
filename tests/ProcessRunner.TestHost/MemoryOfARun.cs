using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using ProcessRunner.Execution.Telemetry;

namespace ProcessRunner.TestHost;

/// <summary>
/// Counts the managed bytes that a child costs. docs/performance.md promises the first limit. The scenario has its own
/// process, because the count is process-wide.
/// </summary>
internal sealed class MemoryOfARun : IScenario
{
    private const int ChildrenOfABatch = 500;
    private const int Window = 50;
    private const int Runs = 200;
    private const int Cheap = Runs / 10;
    private const double MostOfARun = 2048;
    private const long Noise = 16;
    private const double MostOfABatch = 1.1 * 1024;

    // All measurements must fit into the limit of a test, and a turn can take 20 s on a busy machine.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(90);

    public string Name => "memory-of-a-run";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { TakeEnvironmentOnce = true });
        double run = Least(() => BytesOfRuns(engine)[Runs / 2], MostOfARun);
        double batch = Least(() => BytesOfACommand(engine), MostOfABatch);
        Expect.True(run <= MostOfARun, $"bytes of a run: {run}, at most {MostOfARun}");
        Expect.True(batch <= MostOfABatch, $"bytes of a command of a batch: {batch}, at most {MostOfABatch}");

        long before = BytesOfRuns(engine)[Cheap];

        // From here on listeners can exist, and none does.
        using ActivitySource source = new("other");
        Expect.True(Listeners.CanExist, "the library for listeners is loaded");
        BytesOfRuns(engine);
        long unheard;
        long begin = Stopwatch.GetTimestamp();
        do
        {
            unheard = BytesOfRuns(engine)[Cheap];
        }
        while (unheard > before + Noise && Stopwatch.GetElapsedTime(begin) < s_patience);

        Expect.True(unheard <= before + Noise, $"bytes of a run without a listener: {unheard}, before: {before}");
    }

    // The first turns compile the code, and fill the pools. A turn in which the system suspends a thread lets a pool or
    // a queue grow once more, as most turns on a busy machine do; that growth is not the cost of a child.
    private static double Least(Func<double> measure, double most)
    {
        measure();
        measure();
        double least = double.MaxValue;
        long begin = Stopwatch.GetTimestamp();
        do
        {
            least = Math.Min(least, measure());
        }
        while (least > most && Stopwatch.GetElapsedTime(begin) < s_patience);

        return least;
    }

    // In order of cost. On a busy machine many runs cost more, such as those that wait for a child, but some do not.
    private static long[] BytesOfRuns(ProcessEngine engine)
    {
        long[] bytes = new long[Runs];
        for (int i = 0; i < Runs; i++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            RunOne(engine);
            bytes[i] = GC.GetTotalAllocatedBytes(precise: true) - before;
        }

        Array.Sort(bytes);
        return bytes;
    }

    private static void RunOne(ProcessEngine engine)
    {
        using ProcessExecutor executor = new("child", new ProcessCommand("/bin/true"), engine);
        executor.Run("an argument");
        executor.Wait().EnsureSuccess();
    }

    // The queues of a batch grow in steps, which are few. The median of windows tells what each command costs.
    private static double BytesOfACommand(ProcessEngine engine)
    {
        List<long> windows = [];
        ProcessCommand command = new("/bin/true");
        int count = 0;
        long before = GC.GetTotalAllocatedBytes(precise: true);
        foreach (BatchResult result in ProcessBatch.Enumerate(
            Enumerable.Repeat(command, ChildrenOfABatch), new BatchOptions { Engine = engine }))
        {
            result.EnsureSuccess();
            if (++count % Window == 0)
            {
                long now = GC.GetTotalAllocatedBytes(precise: true);
                windows.Add(now - before);
                before = now;
            }
        }

        windows.Sort();
        return windows[windows.Count / 2] / (double)Window;
    }
}
