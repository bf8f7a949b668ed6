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
    private const int ChildrenOfABatch = 1000;
    private const int Window = 50;
    private const int Runs = 500;
    private const int FewestTurns = 3;
    private const double MostOfARun = 2048;
    private const long Noise = 16;
    private const double MostOfABatch = 1.1 * 1024;

    // All measurements must fit into the limit of a test, and a turn can take 20 s on a busy machine.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(120);

    public string Name => "memory-of-a-run";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { TakeEnvironmentOnce = true });
        double run = Least(() => BytesOf(() => RunAll(engine)) / (double)Runs, MostOfARun);
        double batch = Least(() => BytesOfACommand(engine), MostOfABatch);
        Expect.True(run <= MostOfARun, $"bytes of a run: {run}, at most {MostOfARun}");
        Expect.True(batch <= MostOfABatch, $"bytes of a command of a batch: {batch}, at most {MostOfABatch}");

        long before = BytesOfACheapRun(engine);

        // From here on listeners can exist, and none does.
        using ActivitySource source = new("other");
        Expect.True(Listeners.CanExist, "the library for listeners is loaded");
        BytesOfACheapRun(engine);
        long unheard;
        long begin = Stopwatch.GetTimestamp();
        do
        {
            unheard = BytesOfACheapRun(engine);
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
        for (int i = 0; i < FewestTurns || (least > most && Stopwatch.GetElapsedTime(begin) < s_patience); i++)
        {
            least = Math.Min(least, measure());
        }

        return least;
    }

    private static long BytesOf(Action turn)
    {
        long before = GC.GetTotalAllocatedBytes(precise: true);
        turn();
        return GC.GetTotalAllocatedBytes(precise: true) - before;
    }

    // On a busy machine many runs can cost more, such as those that wait for a child, but some do not.
    private static long BytesOfACheapRun(ProcessEngine engine)
    {
        long[] bytes = new long[Runs];
        for (int i = 0; i < Runs; i++)
        {
            bytes[i] = BytesOf(() => RunOne(engine));
        }

        Array.Sort(bytes);
        return bytes[Runs / 10];
    }

    private static void RunAll(ProcessEngine engine)
    {
        for (int i = 0; i < Runs; i++)
        {
            RunOne(engine);
        }
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
        long before = 0;
        int count = 0;
        foreach (BatchResult result in ProcessBatch.Enumerate(
            Enumerable.Repeat(command, ChildrenOfABatch), new BatchOptions { Engine = engine }))
        {
            result.EnsureSuccess();
            if (count++ % Window == 0)
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
