using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Measures this library against <see cref="Process"/>, in turn and in one run, where the benchmarks of Linux do not
/// run. Only the ratios say something.
/// </summary>
internal static class Figures
{
    private const int Rounds = 5;
    private const int Some = 40;
    private const int Many = 64;
    private const int AtOnce = 8;
    private const int Alive = 500;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private static string s_child = Environment.ProcessPath!;

    /// <summary>Prints the figures.</summary>
    /// <param name="child">A program with the words <c>fill</c> and <c>sleep</c>; this one if empty.</param>
    public static int Run(string child)
    {
        s_child = child.Length > 0 ? child : s_child;
        string[] small = ["fill", "100"];
        string[] large = ["fill", "300000", "sleep", "100"];
        Compare($"{Some} one after another", 1, small, Some, isLoop: false);
        Compare($"{Some}, {AtOnce} at once", AtOnce, small, Some, isLoop: false);
        Compare($"Parallel.ForEach, {Many} x (300 KB + 0.1 s)", Many, large, Many, isLoop: true);
        Park(large);
        Count();
        return 0;
    }

    private static void Compare(string what, int degree, string[] words, int count, bool isLoop)
    {
        List<(string Name, Func<bool> Work)> contenders =
        [
            ("Run", () => Each(count, degree, isLoop, () => new ProcessCommand(s_child, words).Run())),
            ("batch", () => Batch(count, degree, words)),
            ("Process, async", () => Each(count, degree, isLoop, () => RunAsync(words).GetAwaiter().GetResult())),
            ("Process, events", () => Each(count, degree, isLoop, () => RunByEvents(words))),
        ];

        // A loop that starves says so once.
        int rounds = isLoop ? 2 : Rounds;
        Dictionary<string, List<double>> times = contenders.ToDictionary(one => one.Name, _ => new List<double>());
        for (int round = 0; round < rounds; round++)
        {
            foreach ((string name, Func<bool> work) in contenders)
            {
                long start = Stopwatch.GetTimestamp();
                bool isOver = work();
                double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
                times[name].Add(isOver ? seconds : double.PositiveInfinity);
            }
        }

        double reference = Median(times["Process, async"]);
        foreach ((string name, List<double> all) in times)
        {
            bool isBound = double.IsInfinity(reference);
            double ratio = Median(all) / (isBound ? s_patience.TotalSeconds : reference);
            Tell($"{what}: {name}: {Median(all):f2} s, {(isBound ? "at most " : "")}{ratio:f2} of Process, async");
        }
    }

    // The pool's own threads all block; plain threads call, as a host with a starved pool does.
    private static void Park(string[] words)
    {
        List<double> free = [];
        List<double> parked = [];
        for (int round = 0; round < Rounds; round++)
        {
            free.Add(Timed(words));
            ThreadPool.GetMaxThreads(out int workers, out int ports);
            ThreadPool.SetMaxThreads(Environment.ProcessorCount, ports);
            using (CountdownEvent isParked = new(Environment.ProcessorCount))
            using (ManualResetEventSlim release = new())
            {
                for (int i = 0; i < Environment.ProcessorCount; i++)
                {
                    ThreadPool.UnsafeQueueUserWorkItem(
                        _ =>
                        {
                            isParked.Signal();
                            release.Wait();
                        },
                        null);
                }

                isParked.Wait();
                parked.Add(Timed(words));
                release.Set();
            }

            ThreadPool.SetMaxThreads(workers, ports);
        }

        Tell($"{Many} x (300 KB + 0.1 s), {AtOnce} at once: parked pool {Median(parked):f2} s, free pool "
            + $"{Median(free):f2} s, ratio {Median([.. parked.Zip(free, (one, other) => one / other)]):f3}");

        static double Timed(string[] words)
        {
            long start = Stopwatch.GetTimestamp();
            Each(Many, AtOnce, isLoop: false, () => new ProcessCommand(s_child, words).Run());
            return Stopwatch.GetElapsedTime(start).TotalSeconds;
        }
    }

    private static void Count()
    {
        int before = Threads;
        using ProcessEngine engine = new();
        List<ChildProcess> children = [];
        for (int i = 0; i < Alive; i++)
        {
            children.Add(new ProcessCommand(s_child, "sleep", "1000000").Start(engine));
        }

        Tell($"{Alive} alive: {engine.Backend}, {Threads - before} threads more than before");
        children.ForEach(child => child.Kill());
        children.ForEach(child => child.Wait());
    }

    private static int Threads
    {
        get
        {
            using Process self = Process.GetCurrentProcess();
            return self.Threads.Count;
        }
    }

    // Returns false if that takes too long; the rest goes on, and its threads are lost.
    private static bool Each(int count, int degree, bool isLoop, Action body)
    {
        Thread runner = new(() =>
        {
            if (isLoop)
            {
                Parallel.For(0, count, new ParallelOptions { MaxDegreeOfParallelism = degree }, _ => body());
                return;
            }

            int next = 0;
            Thread[] threads = [.. Enumerable.Range(0, degree).Select(_ => new Thread(() =>
            {
                while (Interlocked.Increment(ref next) <= count)
                {
                    body();
                }
            }))];
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
        })
        {
            IsBackground = true,
        };
        runner.Start();
        return runner.Join(s_patience);
    }

    private static bool Batch(int count, int degree, string[] words) => ProcessBatch.Run(
        Enumerable.Repeat(new ProcessCommand(s_child, words), count),
        new BatchOptions { MaxConcurrency = degree }).IsSuccess;

    private static async Task RunAsync(string[] words)
    {
        using Process process = Start(words);
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().ConfigureAwait(false);
        await Task.WhenAll(output, error).ConfigureAwait(false);
    }

    private static void RunByEvents(string[] words)
    {
        using Process process = Start(words);
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        process.WaitForExit();
    }

    private static Process Start(string[] words) => Process.Start(new ProcessStartInfo(s_child, words)
    {
        RedirectStandardOutput = true,
        RedirectStandardError = true,
        UseShellExecute = false,
        CreateNoWindow = true,
    })!;

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    private static void Tell(string line)
    {
        Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));
        Console.Out.Flush();
    }
}
