using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class CancelTests
{
    [Fact]
    public void RequestStop_FromAnotherThread_LetsThePendingWaitReturn() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        using ManualResetEventSlim waiting = new();
        Thread canceller = new(() =>
        {
            waiting.Wait();
            executor.RequestStop();
        });
        canceller.Start();
        waiting.Set();
        executor.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        canceller.Join();
    });

    [Fact]
    public void RequestStop_WhenNothingRuns_DoesNothing() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("true", TestPrograms.Quick());
        executor.RequestStop();
        executor.Run();
        executor.Wait();
        executor.RequestStop();
        executor.Result.Outcome.Should().Be(ProcessOutcome.Exited);
    });

    [Fact]
    public void Stop_WaitsForTheEnd() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Invoking(one => one.Stop()).Should().ThrowExactly<InvalidOperationException>();
        executor.Run("1000000");
        executor.Stop().StoppedBy.Should().Be(StopCause.Request);
        executor.IsRunning.Should().BeFalse();
        executor.Run("1000000");
        executor.StopAsync().Result.Should().BeSameAs(executor.Result);
        executor.Result.StoppedBy.Should().Be(StopCause.Request);
        executor.Run("0");
        executor.Wait();
        executor.Stop().Outcome.Should().Be(ProcessOutcome.Exited, "a stop after the end changes nothing");
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WaitAsync_Canceled_EndsTheWaitAlone(bool isCanceledBefore) => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        using CancellationTokenSource source = new();
        executor.Run("1000000");
        if (isCanceledBefore)
        {
            source.Cancel();
        }

        Task<ProcessResult> wait = executor.WaitAsync(source.Token);
        source.Cancel();
        Canceled(wait).CancellationToken.Should().Be(source.Token);
        executor.IsRunning.Should().BeTrue();
        executor.Stop().Outcome.Should().Be(ProcessOutcome.Canceled);
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
            ProcessResult.Of(Canceled(run))!.Outcome.Should().Be(ProcessOutcome.Canceled);
        }
    });

    private static OperationCanceledException Canceled(Task run) =>
        run.Awaiting(task => task).Should().ThrowAsync<OperationCanceledException>().Result.Which;
}
