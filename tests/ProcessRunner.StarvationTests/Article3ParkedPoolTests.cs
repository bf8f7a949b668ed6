using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>
/// Covers "Async I/O and ThreadPool Deadlock (Part 3)" by Ashod Nakashian, 2013, https://blog.ashodnakashian.com. The
/// article: the waits block all workers of the ThreadPool, so no worker is left to complete the reads.
/// </summary>
public sealed class Article3ParkedPoolTests
{
    private static readonly int s_children = Crowd.Of(1_000);

    // The test runner's workers may each complete a work item that was under way. Another test, which retries, demands
    // exactly zero.
    private const int FewWorkItems = 10;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);
    private static readonly Payload s_payload = Payload.Of(64 * 1024);

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public void A_thousand_children_finish_on_plain_threads_while_every_worker_is_parked(
        int threadCount) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_children];
        using ParkedPool pool = new();
        long before = ThreadPool.CompletedWorkItemCount;

        PlainThreads.For(s_children, threadCount, index =>
        {
            using ProcessExecutor executor = new("writer", s_payload.Command());
            executor.Run();
            faults[index] = executor.Wait(s_limit) ? s_payload.Fault(executor.Result) : "timeout";
        });

        (ThreadPool.CompletedWorkItemCount - before).Should().BeLessThan(FewWorkItems);
        pool.IsParked.Should().BeTrue();
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public void A_thousand_blocked_RunAsync_finish_while_every_worker_is_parked(int threadCount) => Guard.Run(() =>
    {
        string?[] faults = new string?[s_children];
        using ParkedPool pool = new();
        long before = ThreadPool.CompletedWorkItemCount;

        PlainThreads.For(s_children, threadCount, index =>
            faults[index] = s_payload.Fault(s_payload.Command().RunAsync().GetAwaiter().GetResult()));

        (ThreadPool.CompletedWorkItemCount - before).Should().BeLessThan(FewWorkItems);
        pool.IsParked.Should().BeTrue();
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Fact]
    public void A_thousand_RunAsync_at_once_are_blocked_on_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();

        List<Task<ProcessResult>> runs =
            [.. Enumerable.Range(0, s_children).Select(_ => s_payload.Command().RunAsync())];
        List<string?> faults = [.. runs.Select(run => s_payload.Fault(run.GetAwaiter().GetResult()))];

        pool.IsParked.Should().BeTrue();
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Fact]
    public void A_thousand_children_live_at_once_finish_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        long before = ThreadPool.CompletedWorkItemCount;

        List<ChildProcess> children = [.. Enumerable.Range(0, s_children).Select(_ => s_payload.Command().Start())];
        List<string?> faults = [.. children.Select(child => s_payload.Fault(child.Wait()))];

        (ThreadPool.CompletedWorkItemCount - before).Should().BeLessThan(FewWorkItems);
        pool.IsParked.Should().BeTrue();
        faults.Should().OnlyContain(fault => fault == null);
    });

    [Fact]
    public void Limits_timeouts_and_cancellation_work_while_every_worker_is_parked() => Guard.Run(() =>
    {
        ProcessCommand sleep = TestPrograms.Quick("sleep", "100000");
        using ParkedPool pool = new();
        long before = ThreadPool.CompletedWorkItemCount;

        using ProcessExecutor limited = new("limited", sleep);
        limited.Run();
        limited.Wait(TimeSpan.FromMilliseconds(50)).Should().BeFalse();
        ProcessResult timedOut = (sleep with { Timeout = TimeSpan.FromMilliseconds(50) }).Run();
        using ProcessExecutor stopped = new("stopped", sleep);
        using CancellationTokenSource source = new();
        using CancellationTokenRegistration registration = source.Token.Register(stopped.RequestStop);
        stopped.Run();
        Task<ProcessResult> canceledRun = sleep.RunAsync(source.Token);
        source.Cancel();
        ProcessResult canceled = stopped.Wait();
        ProcessResult timedOutRun =
            (sleep with { Timeout = TimeSpan.FromMilliseconds(50) }).RunAsync().GetAwaiter().GetResult();

        limited.Result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        timedOut.Outcome.Should().Be(ProcessOutcome.TimedOut);
        canceled.Outcome.Should().Be(ProcessOutcome.Canceled);
        timedOutRun.Outcome.Should().Be(ProcessOutcome.TimedOut);
        canceledRun.Invoking(static run => run.GetAwaiter().GetResult()).Should().Throw<OperationCanceledException>();
        (ThreadPool.CompletedWorkItemCount - before).Should().BeLessThan(FewWorkItems);
        pool.IsParked.Should().BeTrue();
    });

    [Theory]
    [InlineData(nameof(PlainProcess.ReadByEvents))]
    [InlineData(nameof(PlainProcess.ReadByTasks))]
    [OnlyOn(Systems.Linux, "the kernel tells where a thread sleeps")]
    public void A_plain_process_starves_while_every_worker_is_parked(string way) => Guard.Run(() =>
    {
        // The child writes more than both pipes hold.
        using Process process =
            PlainProcess.Start(TestPrograms.Shell("printf '%1000000s' x; printf '%1000000s' x >&2"));
        (string Output, string Error) read = ("", "");
        Thread reader = new(() => read = way == nameof(PlainProcess.ReadByEvents)
            ? PlainProcess.ReadByEvents(process)
            : PlainProcess.ReadByTasks(process))
        {
            IsBackground = true,
        };

        try
        {
            using ParkedPool pool = new();
            reader.Start();
            Eventually.Is(() => Blocked.InPipeWrite(process.Id), "the child waits for a reader");
            reader.Join(TimeSpan.FromMilliseconds(500)).Should().BeFalse();
            Blocked.InPipeWrite(process.Id).Should().BeTrue();
            pool.IsParked.Should().BeTrue();
        }
        finally
        {
            reader.Join();
        }

        read.Output.Trim().Should().Be("x");
        read.Error.Trim().Should().Be("x");
    });
}
