using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class ExecutorWaitTests
{
    [Fact]
    public void Anything_BeforeTheFirstRun_Throws() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("never run", "true");
        Throws(() => executor.Wait());
        Throws(() => executor.Wait(TimeSpan.Zero));
        Throws(() => executor.WaitAsync().Wait());
        Throws(() => _ = executor.Result);
        executor.IsRunning.Should().BeFalse();
        executor.RequestStop();
    });

    [Fact]
    public void Result_BeforeTheEnd_Throws() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        executor.Invoking(e => e.Result)
            .Should().ThrowExactly<InvalidOperationException>().WithMessage("*sleeper*still runs*");
        executor.RequestStop();
        executor.Wait();
        executor.Result.Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Wait_WithLimitThatSuffices_IsTrue() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("echo", TestPrograms.Quick("echo"));
        executor.Run("text");
        executor.Wait(TimeSpan.FromMinutes(2)).Should().BeTrue();
        executor.Wait(TimeSpan.Zero).Should().BeTrue();
        executor.Result.StandardOutput.Text.Should().Be("text\n");
    });

    [Fact]
    public void Wait_WhoseLimitPasses_KillsTheGroupAndKeepsWhatWasWritten() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessExecutor executor = new("writer", TestPrograms.Quick("echo", "out", "err", "err"));
        executor.Run("spawn", "touch", directory.At("ready"), "sleep", "1000000", "end", "sleep", "1000000");
        int descendant = directory.IdIn("ready");
        executor.Wait(TimeSpan.FromMilliseconds(20)).Should().BeFalse();
        ProcessResult result = executor.Result;
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Text.Should().Be("err\n");
        result.StandardOutput.IsHeldOpen.Should().BeFalse();
        Eventually.Is(() => !ProcFs.IsAlive(descendant), "the descendant has ended, too");
    });

    [Fact]
    public void Wait_WithZeroLimit_KillsAtOnce() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        executor.Wait(TimeSpan.Zero).Should().BeFalse();
        executor.Result.Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Fact]
    public void Wait_WithInfiniteLimit_WaitsForTheEnd() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("0.05");
        executor.Wait(Timeout.InfiniteTimeSpan).Should().BeTrue();
    });

    [Fact]
    public void Wait_WithNegativeLimit_ThrowsAndKillsNothing() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("sleeper", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        executor.Invoking(e => e.Wait(TimeSpan.FromMilliseconds(-2)))
            .Should().ThrowExactly<ArgumentOutOfRangeException>();
        executor.IsRunning.Should().BeTrue();
    });

    private static void Throws(Action action) =>
        action.Should().ThrowExactly<InvalidOperationException>().WithMessage("*never run*");
}
