using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Mixes runs of every kind on several threads for a while, and looks for lost bytes, wrong outcomes, handles that
/// stay, and runs that do not end. A line is printed for every few seconds.
/// </summary>
internal static class Soak
{
    private const int Threads = 6;
    private const int RunsOfThread = 10;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);
    private static readonly string[] s_underWay = new string[Threads];

    private static int s_runs;
    private static int s_failures;

    /// <summary>Runs for the given time.</summary>
    /// <param name="time">The time.</param>
    /// <param name="part">A part of the names of the kinds of runs to mix.</param>
    /// <returns>The number of failures.</returns>
    public static int Run(TimeSpan time, string part)
    {
        long start = Stopwatch.GetTimestamp();
        for (int round = 0; Stopwatch.GetElapsedTime(start) < time && s_failures == 0; round++)
        {
            Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(
                () => RunSome(new Random((round * Threads) + number), part, ref s_underWay[number])))];
            Array.ForEach(threads, thread => thread.Start());
            while (Array.Find(threads, thread => thread.IsAlive) is Thread thread)
            {
                int before = Volatile.Read(ref s_runs);
                if (!thread.Join(s_patience) && before == Volatile.Read(ref s_runs))
                {
                    Console.WriteLine(
                        $"FAILS: these runs do not end: {string.Join(", ", s_underWay)}; "
                        + $"{ProcessEngine.Shared.LiveChildren} alive, {ProcessEngine.Shared.ThreadCount} threads; "
                        + string.Join(' ', Process.GetProcesses().Select(other => $"{other.Id}={other.ProcessName}")));
                    Environment.Exit(1);
                }
            }

            GC.Collect();
            GC.WaitForPendingFinalizers();
            Console.WriteLine(
                $"{Stopwatch.GetElapsedTime(start).TotalSeconds:f0} s: {s_runs} runs, {s_failures} failures, "
                + $"{OpenHandles.Count()} handles, {ProcessEngine.Shared.LiveChildren} alive, "
                + $"{ProcessEngine.Shared.ThreadCount} threads");
        }

        return s_failures;
    }

    private static void RunSome(Random random, string part, ref string underWay)
    {
        for (int i = 0; i < RunsOfThread; i++)
        {
            try
            {
                Checks.RunOne(random, part, ref underWay);
                Interlocked.Increment(ref s_runs);
            }
            catch (Exception exception)
            {
                Interlocked.Increment(ref s_failures);
                Console.WriteLine($"FAILS: {underWay}: {exception}");
            }

            underWay = "none";
        }
    }
}
