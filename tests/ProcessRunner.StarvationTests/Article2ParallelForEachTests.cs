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
/// Covers "Async I/O and ThreadPool Deadlock (Part 2)" by Ashod Nakashian, 2013, https://blog.ashodnakashian.com. The
/// article: under <c>Parallel.ForEach</c>, waits time out, and the work is slower than in a plain loop.
/// </summary>
public sealed class Article2ParallelForEachTests(ITestOutputHelper output)
{
    private const int BytesPerStream = 300_000;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    public static TheoryData<int, bool> Degrees
    {
        get
        {
            TheoryData<int, bool> degrees = [];
            foreach (int degree in new[] { 1, int.Max(1, Cores - 1), Cores, 2 * Cores, 64, -1 }.Distinct())
            {
                degrees.Add(degree, false);
                degrees.Add(degree, true);
            }

            return degrees;
        }
    }

    private static int Cores => Environment.ProcessorCount;

    [Theory]
    [MemberData(nameof(Degrees))]
    public void No_wait_times_out_at_any_degree(int degree, bool blocksOnRunAsync) => Guard.Run(() =>
    {
        // With a low degree, the sleeps add up. Half as many children prove as much.
        int children = degree is > 0 and < 4 ? 64 : 128;
        string[] arguments = Payload.Of(BytesPerStream).Words(sleepMilliseconds: 100);
        List<KeyValuePair<string, string[]>> work =
            [.. Enumerable.Range(0, children).Select(_ => KeyValuePair.Create(TestPrograms.QuickChildPath, arguments))];
        int timeouts = 0;
        long outputBytes = 0;
        long errorBytes = 0;
        using PoolSettings pool = PoolSettings.Free();

        Stopwatch watch = Stopwatch.StartNew();
        Parallel.ForEach(work, new ParallelOptions { MaxDegreeOfParallelism = degree }, item =>
        {
            ProcessResult result;
            if (blocksOnRunAsync)
            {
                result = new ProcessCommand(item.Key, item.Value).RunAsync().GetAwaiter().GetResult();
            }
            else
            {
                using ProcessExecutor executor = new("worker", item.Key);
                executor.Run(item.Value);
                Interlocked.Add(ref timeouts, executor.Wait(s_limit) ? 0 : 1);
                result = executor.Result;
            }

            Interlocked.Add(ref outputBytes, result.StandardOutput.TotalBytes);
            Interlocked.Add(ref errorBytes, result.StandardError.TotalBytes);
        });
        TimeSpan elapsed = watch.Elapsed;

        output.WriteLine(
            $"{(blocksOnRunAsync ? "RunAsync, blocked on" : "Run, Wait")}, "
            + $"degree {(degree < 0 ? "unlimited" : degree)}: {children} children in {elapsed.TotalSeconds:F2} s, "
            + $"{ThreadPool.ThreadCount} ThreadPool threads, {Environment.ProcessorCount} processors");
        timeouts.Should().Be(0);
        outputBytes.Should().Be(children * (long)BytesPerStream);
        errorBytes.Should().Be(children * (long)BytesPerStream);
    });
}
