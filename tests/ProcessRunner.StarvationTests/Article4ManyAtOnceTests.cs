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
/// Covers "Async I/O and ThreadPool Deadlock (Part 4)" by Ashod Nakashian, 2013, https://blog.ashodnakashian.com. The
/// article: one thread that waits for separately started children avoids the deadlock. The tests: one thread waits for
/// 500 live children, and cancels all of them together.
/// </summary>
public sealed class Article4ManyAtOnceTests(ITestOutputHelper output)
{
    private static readonly int s_many = Crowd.Of(500);
    private static readonly int s_canceled = Crowd.Of(200);
    private const int OutputBytes = 10_000;
    private const int ErrorBytes = 20_000;
    private static readonly TimeSpan s_limit = Guard.Limit / 2;

    [Fact]
    public void Children_started_first_are_waited_for_one_after_another_by_one_thread() => Guard.Run(() =>
    {
        Stopwatch watch = Stopwatch.StartNew();
        List<ProcessExecutor> executors = Started(TestPrograms.Quick);
        bool inTime = executors.TrueForAll(executor => executor.Wait(s_limit));
        output.WriteLine(
            $"{s_many} quick children, waited for one after another: {watch.Elapsed.TotalSeconds:F2} s");

        inTime.Should().BeTrue();
        Faults(executors).Should().OnlyContain(fault => fault == null);
    });

    [Fact]
    public void Children_started_first_are_waited_for_all_together_by_one_thread() => Guard.Run(() =>
    {
        Stopwatch watch = Stopwatch.StartNew();
        List<ProcessExecutor> executors = Started(TestPrograms.Child);
        bool inTime = ProcessExecutor.WaitAll(executors, s_limit);
        output.WriteLine(
            $"{s_many} children of the test child, waited for all together: {watch.Elapsed.TotalSeconds:F2} s");

        inTime.Should().BeTrue();
        Faults(executors).Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Asynchronous_runs_are_blocked_on_one_after_another_by_one_thread(
        bool everyWorkerIsParked) => Guard.Run(() =>
    {
        using ParkedPool? pool = everyWorkerIsParked ? new ParkedPool() : null;
        List<Task<ProcessResult>> runs = [.. Enumerable.Range(0, s_many).Select(_ =>
            Writer(TestPrograms.Quick).RunAsync())];

        runs.ConvertAll(run => TestChildText.Fault(run.GetAwaiter().GetResult(), OutputBytes, ErrorBytes))
            .Should().OnlyContain(fault => fault == null);
        (pool?.IsParked ?? true).Should().BeTrue();
    });

    [Fact]
    public void One_limit_ends_all_children_that_are_waited_for_together() => Guard.Run(() =>
    {
        List<ProcessExecutor> executors = Sleeping();
        Stopwatch watch = Stopwatch.StartNew();
        ProcessExecutor.WaitAll(executors, TimeSpan.FromMilliseconds(100)).Should().BeFalse();
        TimeSpan time = watch.Elapsed;

        executors.Should().OnlyContain(executor => executor.Result.Outcome == ProcessOutcome.TimedOut);
        NobodyIsLeftOf(executors.Select(executor => executor.Result));

        Report("WaitAll at its limit", time);
    });

    [Fact]
    public void One_token_ends_all_asynchronous_runs() => Guard.Run(() =>
    {
        using PoolSettings pool = PoolSettings.Free();
        using CancellationTokenSource source = new();
        List<Task<ProcessResult>> runs =
            [.. Enumerable.Range(0, s_canceled).Select(_ => SleepingCommand().RunAsync(source.Token))];
        Stopwatch watch = Stopwatch.StartNew();
        source.Cancel();
        List<ProcessResult> results = runs.ConvertAll(ResultOfCanceled);
        TimeSpan time = watch.Elapsed;

        results.Should().OnlyContain(result => result.Outcome == ProcessOutcome.Canceled);
        NobodyIsLeftOf(results);

        Report("RunAsync", time);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_token_ends_the_pending_waits_of_all_executors(bool everyWorkerIsParked) => Guard.Run(() =>
    {
        using ParkedPool? pool = everyWorkerIsParked ? new ParkedPool() : null;
        using CancellationTokenSource source = new();
        List<ProcessExecutor> executors = Sleeping();
        executors.ForEach(executor => source.Token.Register(executor.RequestStop));
        List<Thread> waiters = executors.ConvertAll(
            executor => new Thread(() => executor.Wait()) { Name = "waiter", IsBackground = true });
        waiters.ForEach(waiter => waiter.Start());
        Eventually.Is(() => IsAsleep(waiters), "every waiter waits");

        Stopwatch watch = Stopwatch.StartNew();
        source.Cancel();
        waiters.ForEach(waiter => waiter.Join());
        TimeSpan time = watch.Elapsed;

        executors.Should().OnlyContain(executor => executor.Result.Outcome == ProcessOutcome.Canceled);
        NobodyIsLeftOf(executors.Select(executor => executor.Result));

        (pool?.IsParked ?? true).Should().BeTrue();
        Report("Cancel", time);
    });

    [Fact]
    public void An_engine_that_is_disposed_ends_all_its_children() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        List<ChildProcess> children =
            [.. Enumerable.Range(0, s_canceled).Select(_ => SleepingCommand().Start(engine))];

        Stopwatch watch = Stopwatch.StartNew();
        engine.Dispose();
        Report("Dispose of the engine", watch.Elapsed);

        children.Should().OnlyContain(child => !child.IsRunning);
        NobodyIsLeftOf(children.Select(child => child.Wait()));
    });

    private static ProcessCommand Writer(Func<IEnumerable<string>, ProcessCommand> program) =>
        program(["fill", $"{OutputBytes}", "fill-err", $"{ErrorBytes}"]);

    private static List<ProcessExecutor> Started(Func<IEnumerable<string>, ProcessCommand> program)
    {
        List<ProcessExecutor> executors =
            [.. Enumerable.Range(0, s_many).Select(i => new ProcessExecutor($"child {i}", Writer(program)))];
        executors.ForEach(executor => executor.Run());
        return executors;
    }

    private static List<ProcessExecutor> Sleeping()
    {
        List<ProcessExecutor> executors =
            [.. Enumerable.Range(0, s_canceled).Select(i => new ProcessExecutor($"sleeper {i}", SleepingCommand()))];
        executors.ForEach(executor => executor.Run());
        return executors;
    }

    private static ProcessCommand SleepingCommand() =>
        TestPrograms.Quick("spawn", "sleep", "1000000", "end", "sleep", "1000000");

    private static List<string?> Faults(List<ProcessExecutor> executors) =>
        executors.ConvertAll(executor => TestChildText.Fault(executor.Result, OutputBytes, ErrorBytes));

    private static ProcessResult ResultOfCanceled(Task<ProcessResult> run)
    {
        try
        {
            return run.GetAwaiter().GetResult();
        }
        catch (OperationCanceledException exception)
        {
            return ProcessResult.Of(exception)!;
        }
    }

    // On Linux a thread that serves its child waits in the kernel, and not in the runtime.
    private static bool IsAsleep(List<Thread> waiters) => OperatingSystem.IsLinux()
        ? ProcFs.SleepingThreads("waiter") == waiters.Count
        : waiters.TrueForAll(waiter => waiter.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin));

    private static void NobodyIsLeftOf(IEnumerable<ProcessResult> results)
    {
        HashSet<int> groups = [.. results.Select(result => result.ProcessId)];
        groups.Should().HaveCount(s_canceled);
        groups.Should().OnlyContain(id => !ProcFs.IsAlive(id));
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        ProcFs.Children.Should().NotContain(child => groups.Contains(child.Id));
        Eventually.Is(
            () => !ProcFs.All().Any(entry => groups.Contains(entry.GroupId) && entry.State is not ('Z' or 'X')),
            "the signals have ended every member of the groups");
    }

    // The time is for the reader. The test passes if the children end at all, long before they would by themselves.
    private void Report(string what, TimeSpan time) =>
        output.WriteLine($"{what} ends {s_canceled} groups in {time.TotalMilliseconds:F0} ms");
}
