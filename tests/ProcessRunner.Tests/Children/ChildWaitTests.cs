using System;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

public sealed class ChildWaitTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Fact]
    public void Wait_Twice_ReturnsTheSameResult() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick("echo", "once", "return", "3").Start();
        ProcessResult first = child.Wait();
        first.ExitCode.Should().Be(3);
        child.Wait().Should().BeSameAs(first);
        child.TryWait(TimeSpan.Zero, out ProcessResult? third).Should().BeTrue();
        third.Should().BeSameAs(first);
        child.WaitAsync().Result.Should().BeSameAs(first);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Wait_ByManyThreads_GivesAllTheSameResult() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        ProcessResult[] results = new ProcessResult[16];
        using CountdownEvent waiting = new(results.Length);
        Thread[] threads = [.. Enumerable.Range(0, results.Length).Select(index => new Thread(() =>
        {
            waiting.Signal();
            results[index] = child.Wait();
        }))];
        Array.ForEach(threads, thread => thread.Start());
        waiting.Wait();
        child.Kill();
        Array.ForEach(threads, thread => thread.Join());
        results.Should().OnlyContain(result => ReferenceEquals(result, results[0]));
    });

    [Fact]
    public void Wait_AfterDispose_StillReturnsTheResult() => Guard.Run(() =>
    {
        ChildProcess child = TestPrograms.Quick("echo", "text").Start();
        ProcessResult result = child.Wait();
        child.Dispose();
        child.Wait().Should().BeSameAs(result);
        child.IsRunning.Should().BeFalse();
    });

    [Fact]
    public void TryWait_WithZero_CanBeRepeatedAndLeavesTheChildRunning() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        for (int i = 0; i < 100; i++)
        {
            child.TryWait(TimeSpan.Zero, out ProcessResult? none).Should().BeFalse();
            none.Should().BeNull();
        }

        child.IsRunning.Should().BeTrue();
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
    });

    [Fact]
    public void TryWait_WhoseLimitPasses_LeavesTheChildRunning() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.TryWait(TimeSpan.FromMilliseconds(20), out _).Should().BeFalse();
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
    });

    [Theory]
    [InlineData(-1)]
    [InlineData(100_000)]
    [InlineData(100.0 * 24 * 60 * 60 * 1000)]
    [InlineData(9e14)]
    public void TryWait_WithAnyLongLimit_ReturnsAtTheEnd(double milliseconds) => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick("return", "3").Start();
        child.TryWait(TimeSpan.FromMilliseconds(milliseconds), out ProcessResult? result).Should().BeTrue();
        result!.ExitCode.Should().Be(3);
    });

    [Fact]
    public void TryWait_WithNegativeLimit_Throws() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.Invoking(c => c.TryWait(TimeSpan.FromMilliseconds(-2), out _))
            .Should().ThrowExactly<ArgumentOutOfRangeException>().WithParameterName("limit");
    });

    [Fact]
    public void IsRunning_IsTrueBeforeAndFalseAfter() => Guard.Run(() =>
    {
        using ChildProcess child = s_sleeper.Start();
        child.IsRunning.Should().BeTrue();
        child.Command.Should().BeSameAs(s_sleeper);
        child.Kill();
        child.Wait().ProcessId.Should().Be(child.ProcessId);
        child.IsRunning.Should().BeFalse();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void EndOfAChild_ThatNobodyWaitsFor_IsSeenAndTheZombieReaped() => Guard.Run(() =>
    {
        ChildProcess child = TestPrograms.Quick().Start();
        Eventually.Is(() => !child.IsRunning, "a child ends without a waiter");
        ProcFs.Children.Should().NotContain(entry => entry.Id == child.ProcessId);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Chain_OfFourGenerations_EndsWithTheLastExitCode() => Guard.Run(() =>
    {
        ProcessResult result =
            TestPrograms.Shell("sh -c 'sh -c \"sh -c \\\"echo deep; exit 4\\\"; exit \\$?\"; exit $?'; exit $?").Run();
        result.ExitCode.Should().Be(4);
        result.StandardOutput.Text.Should().Be("deep\n");
    });
}
