using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace ProcessRunner.StarvationTests;

/// <summary>
/// Covers "Async I/O and ThreadPool Deadlock (Part 5)" by Ashod Nakashian, 2013, https://blog.ashodnakashian.com. The
/// article finds "no generic solution". The tests: no calling pattern starves, in any state of the pool.
/// </summary>
public sealed class Article5CallingPatternTests(ITestOutputHelper output)
{
    private static readonly int s_children = int.Max(20, Crowd.Of(60));
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);
    private static readonly Payload s_payload = Payload.Of(100_000);

    // The patterns are divided by whether the caller's own code needs a worker of the pool. Serving a child never does.
    private static readonly Dictionary<string, Action<string?[]>> s_withoutPool = new()
    {
        ["one after another"] = faults => PlainThreads.For(s_children, 1, index => faults[index] = RunAndWait()),
        ["plain threads"] = faults => PlainThreads.For(s_children, 16, index => faults[index] = RunAndWait()),
        ["all started, then waited for"] = faults => StartAllAndWait(faults, reversed: false),
        ["all started, then waited for in reverse"] = faults => StartAllAndWait(faults, reversed: true),
        ["all started, then waited for together"] = StartAllAndWaitTogether,
        ["RunAsync, blocked on, one after another"] = faults =>
            PlainThreads.For(s_children, 1, index => faults[index] = BlockOnRunAsync()),
        ["RunAsync, blocked on by plain threads"] = faults =>
            PlainThreads.For(s_children, 16, index => faults[index] = BlockOnRunAsync()),
        ["RunAsync for all, then blocked on"] = faults => StartAllAndBlock(faults, reversed: false),
        ["RunAsync for all, then blocked on in reverse"] = faults => StartAllAndBlock(faults, reversed: true),
        ["RunAsync for all, then blocked on together"] = StartAllAndBlockTogether,
    };

    private static readonly Dictionary<string, Action<string?[]>> s_withPool = new()
    {
        ["Parallel.ForEach"] = faults => Parallel.For(0, s_children, index => faults[index] = RunAndWait()),
        ["Parallel.ForEach, blocked on RunAsync"] = faults =>
            Parallel.For(0, s_children, index => faults[index] = BlockOnRunAsync()),
        ["pool workers"] = faults => QueueAll(faults, RunAndWait),
        ["pool workers, blocked on RunAsync"] = faults => QueueAll(faults, BlockOnRunAsync),
        ["tasks waited for"] =
            faults => PlainThreads.For(s_children, 8, index => faults[index] = Task.Run(RunAndWait).Result),
        ["tasks waited for, blocked on RunAsync"] = faults =>
            PlainThreads.For(s_children, 8, index => faults[index] = Task.Run(BlockOnRunAsync).Result),
        ["asynchronous"] = faults => RunAllAsync(faults).Wait(),
    };

    // Each pattern that runs and waits, and the same pattern with a blocked RunAsync.
    private static readonly Dictionary<string, string> s_blocked = new()
    {
        ["one after another"] = "RunAsync, blocked on, one after another",
        ["plain threads"] = "RunAsync, blocked on by plain threads",
        ["all started, then waited for"] = "RunAsync for all, then blocked on",
        ["all started, then waited for in reverse"] = "RunAsync for all, then blocked on in reverse",
        ["all started, then waited for together"] = "RunAsync for all, then blocked on together",
        ["Parallel.ForEach"] = "Parallel.ForEach, blocked on RunAsync",
        ["pool workers"] = "pool workers, blocked on RunAsync",
        ["tasks waited for"] = "tasks waited for, blocked on RunAsync",
    };

    public static TheoryData<string, string> Pairs
    {
        get
        {
            TheoryData<string, string> pairs = [];
            foreach (string pattern in s_blocked.Keys)
            {
                foreach (string pool in (string[])["free", "pinned", "parked"])
                {
                    if (pool != "parked" || s_withoutPool.ContainsKey(pattern))
                    {
                        pairs.Add(pattern, pool);
                    }
                }
            }

            return pairs;
        }
    }

    public static TheoryData<string, string> Cases
    {
        get
        {
            TheoryData<string, string> cases = [];
            foreach (string pattern in s_withoutPool.Keys.Concat(s_withPool.Keys))
            {
                cases.Add(pattern, "free");
                cases.Add(pattern, "pinned");
            }

            foreach (string pattern in s_withoutPool.Keys)
            {
                cases.Add(pattern, "parked");
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void No_calling_pattern_starves(string pattern, string pool) => Guard.Run(() =>
    {
        string?[] faults = [.. Enumerable.Repeat("not run", s_children)];
        using IDisposable settings = PoolThatIs(pool);

        Stopwatch watch = Stopwatch.StartNew();
        (s_withoutPool.GetValueOrDefault(pattern) ?? s_withPool[pattern])(faults);
        output.WriteLine($"{pattern}, {pool} pool: {s_children} children in {watch.Elapsed.TotalMilliseconds:F0} ms");

        faults.Should().OnlyContain(fault => fault == null);
    });

    // On a busy machine a round proves nothing: the median of each counts, and rounds follow until the goal is reached.
    // A task that needs a ThreadPool thread takes seven times as long, or does not end: the guard ends the test.
    [Theory]
    [MemberData(nameof(Pairs))]
    public void A_blocked_RunAsync_takes_as_long_as_Run(string pattern, string pool) => Guard.Run(() =>
    {
        const double Goal = 1.1;
        List<double> runs = [];
        List<double> blocked = [];
        using IDisposable settings = PoolThatIs(pool);

        // The code is compiled.
        _ = Milliseconds(pattern) + Milliseconds(s_blocked[pattern]);
        do
        {
            runs.Add(Milliseconds(pattern));
            blocked.Add(Milliseconds(s_blocked[pattern]));
        }
        while (Median(blocked) > Goal * Median(runs));

        output.WriteLine(
            $"{pattern}, {pool} pool: Run {Median(runs):F0} ms, blocked RunAsync {Median(blocked):F0} ms, "
            + $"{Median(blocked) / Median(runs):F2} times after {runs.Count} rounds");
    });

    [Theory]
    [InlineData("free")]
    [InlineData("pinned")]
    public void All_calling_patterns_at_once_do_not_starve_each_other(string pool) => Guard.Run(() =>
    {
        Action<string?[]>[] patterns = [.. s_withoutPool.Values, .. s_withPool.Values];
        string?[][] faults = [.. patterns.Select(_ => Enumerable.Repeat<string?>("not run", s_children).ToArray())];
        using IDisposable settings = PoolThatIs(pool);

        PlainThreads.For(patterns.Length, patterns.Length, index => patterns[index](faults[index]));

        faults.SelectMany(each => each).Should().OnlyContain(fault => fault == null);
    });

    private static double Median(List<double> times) => times.Order().ElementAt(times.Count / 2);

    private static double Milliseconds(string pattern)
    {
        string?[] faults = [.. Enumerable.Repeat("not run", s_children)];
        Stopwatch watch = Stopwatch.StartNew();
        (s_withoutPool.GetValueOrDefault(pattern) ?? s_withPool[pattern])(faults);
        double milliseconds = watch.Elapsed.TotalMilliseconds;
        faults.Should().OnlyContain(fault => fault == null);
        return milliseconds;
    }

    private static IDisposable PoolThatIs(string state) => state switch
    {
        "free" => PoolSettings.Free(),
        "pinned" => PoolSettings.Pinned(),
        "parked" => new ParkedPool(),
        _ => throw new ArgumentOutOfRangeException(nameof(state), state, "No such state."),
    };

    private static ProcessExecutor Started()
    {
        ProcessExecutor executor = new("writer", s_payload.Command());
        executor.Run();
        return executor;
    }

    private static string? RunAndWait()
    {
        using ProcessExecutor executor = Started();
        return WaitFor(executor);
    }

    private static string? WaitFor(ProcessExecutor executor) =>
        executor.Wait(s_limit) ? s_payload.Fault(executor.Result) : "timeout";

    private static void StartAllAndWait(string?[] faults, bool reversed)
    {
        ProcessExecutor[] executors = [.. faults.Select(_ => Started())];
        for (int i = 0; i < faults.Length; i++)
        {
            int index = reversed ? faults.Length - 1 - i : i;
            faults[index] = WaitFor(executors[index]);
        }
    }

    private static void StartAllAndWaitTogether(string?[] faults)
    {
        ProcessExecutor[] executors = [.. faults.Select(_ => Started())];
        bool inTime = ProcessExecutor.WaitAll(executors, s_limit);
        for (int i = 0; i < faults.Length; i++)
        {
            faults[i] = inTime ? s_payload.Fault(executors[i].Result) : "timeout";
        }
    }

    private static string? BlockOnRunAsync() =>
        s_payload.Fault(s_payload.Command().RunAsync().GetAwaiter().GetResult());

    private static void StartAllAndBlock(string?[] faults, bool reversed)
    {
        Task<ProcessResult>[] runs = [.. faults.Select(_ => s_payload.Command().RunAsync())];
        for (int i = 0; i < faults.Length; i++)
        {
            int index = reversed ? faults.Length - 1 - i : i;
            faults[index] = s_payload.Fault(runs[index].GetAwaiter().GetResult());
        }
    }

    private static void StartAllAndBlockTogether(string?[] faults)
    {
        Task<ProcessResult>[] runs = [.. faults.Select(_ => s_payload.Command().RunAsync())];
        bool inTime = Task.WaitAll(runs, s_limit);
        for (int i = 0; i < faults.Length; i++)
        {
            faults[i] = inTime ? s_payload.Fault(runs[i].Result) : "timeout";
        }
    }

    private static void QueueAll(string?[] faults, Func<string?> body)
    {
        using CountdownEvent left = new(faults.Length);
        for (int i = 0; i < faults.Length; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                index =>
                {
                    faults[index] = body();
                    left.Signal();
                },
                i,
                preferLocal: false);
        }

        left.Wait();
    }

    private static async Task RunAllAsync(string?[] faults)
    {
        ProcessResult[] results = await Task.WhenAll(faults.Select(_ => s_payload.Command().RunAsync()));
        for (int i = 0; i < faults.Length; i++)
        {
            faults[i] = s_payload.Fault(results[i]);
        }
    }
}
