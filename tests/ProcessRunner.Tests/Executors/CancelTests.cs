using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class CancelTests
{
    [Fact]
    public void Cancel_FromAnotherThread_LetsThePendingWaitReturn() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        using ManualResetEventSlim waiting = new();
        Thread canceller = new(() =>
        {
            waiting.Wait();
            executor.Cancel();
        });
        canceller.Start();
        waiting.Set();
        executor.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        canceller.Join();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Cancel_WhenNothingRuns_DoesNothing() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("true", TestPrograms.Quick());
        executor.Cancel();
        executor.Run();
        executor.Wait();
        executor.Cancel();
        executor.Result.Outcome.Should().Be(ProcessOutcome.Exited);
    });

    [Fact]
    public void RunAsync_Cancelled_ThrowsWithTheCallersTokenAndTheResult() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        using CancellationTokenSource source = new();
        Task<ProcessResult> run = executor.RunAsync(["1000000"], source.Token);
        executor.IsRunning.Should().BeTrue();
        source.Cancel();
        OperationCanceledException error = Cancelled(run);
        error.CancellationToken.Should().Be(source.Token);
        ProcessResult.Of(error).Should().BeSameAs(executor.Result);
        executor.Result.Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void WaitAsync_Cancelled_KillsTheChild() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        using CancellationTokenSource source = new();
        executor.Run("1000000");
        Task<ProcessResult> wait = executor.WaitAsync(source.Token);
        source.Cancel();
        Cancelled(wait).CancellationToken.Should().Be(source.Token);
        executor.IsRunning.Should().BeFalse();
    });

    [Fact]
    public void RunAsync_WithCancelledToken_StartsNothing() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        CancellationToken cancelled = new(canceled: true);
        Cancelled(executor.RunAsync(["1000000"], cancelled)).CancellationToken.Should().Be(cancelled);
        executor.Invoking(e => e.Result).Should().ThrowExactly<InvalidOperationException>();
    });

    [Fact]
    public void OneSource_ForManyRuns_CancelsThemAll() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        Task<ProcessResult>[] runs =
            [.. Enumerable.Range(0, 100).Select(_ => TestPrograms.Quick("sleep", "1000000").RunAsync(source.Token))];
        source.Cancel();
        foreach (Task<ProcessResult> run in runs)
        {
            ProcessResult.Of(Cancelled(run))!.Outcome.Should().Be(ProcessOutcome.Canceled);
        }
    });

    private static OperationCanceledException Cancelled(Task run) =>
        run.Awaiting(task => task).Should().ThrowAsync<OperationCanceledException>().Result.Which;
}
