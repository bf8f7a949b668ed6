using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Mixes runs of every kind on several threads for a while, and looks for lost bytes, wrong outcomes and handles that
/// stay. A hang shows as a silence: a line is printed for every few seconds.
/// </summary>
internal static class Soak
{
    private const int Threads = 6;

    private static int s_runs;
    private static int s_failures;

    /// <summary>Runs for the given time.</summary>
    /// <returns>The number of failures.</returns>
    public static int Run(TimeSpan time)
    {
        long start = Stopwatch.GetTimestamp();
        int handles = 0;
        for (int round = 0; Stopwatch.GetElapsedTime(start) < time && s_failures == 0; round++)
        {
            int seed = round * Threads;
            Thread[] threads =
                [.. Enumerable.Range(seed, Threads).Select(i => new Thread(() => RunSome(new Random(i))))];
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
            GC.Collect();
            GC.WaitForPendingFinalizers();
            handles = OpenHandles.Count();
            Console.WriteLine(
                $"{Stopwatch.GetElapsedTime(start).TotalSeconds:f0} s: {s_runs} runs, {s_failures} failures, "
                + $"{handles} handles, {ProcessEngine.Shared.LiveChildren} alive, "
                + $"{ProcessEngine.Shared.ThreadCount} threads");
        }

        return s_failures;
    }

    private static void RunSome(Random random)
    {
        for (int i = 0; i < 10; i++)
        {
            string kind = "";
            try
            {
                Checks.RunOne(random, out kind);
                Interlocked.Increment(ref s_runs);
            }
            catch (Exception exception)
            {
                Interlocked.Increment(ref s_failures);
                Console.WriteLine($"FAILS: {kind}: {exception}");
            }
        }
    }
}
