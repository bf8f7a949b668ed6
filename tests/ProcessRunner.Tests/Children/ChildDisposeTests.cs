using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

public sealed class ChildDisposeTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_OfRunningChild_KillsItAndWaitsUntilItIsGone() => Guard.Run(() =>
    {
        ChildProcess child = s_sleeper.Start();
        child.Dispose();
        child.IsRunning.Should().BeFalse();
        ProcFs.Children.Should().NotContain(entry => entry.Id == child.ProcessId);
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Dispose_Again_DoesNothing() => Guard.Run(() =>
    {
        ChildProcess child = s_sleeper.Start();
        child.Dispose();
        child.Dispose();
    });

    [Fact]
    public void Dispose_OfEndedChild_ChangesNothing() => Guard.Run(() =>
    {
        ChildProcess child = TestPrograms.Quick("return", "3").Start();
        child.Wait();
        child.Dispose();
        child.Wait().ExitCode.Should().Be(3);
    });

    [Fact]
    public void Dispose_LetsAPendingWaitReturn() => Guard.Run(() =>
    {
        ChildProcess child = s_sleeper.Start();
        ProcessResult? result = null;
        using ManualResetEventSlim waiting = new();
        Thread waiter = new(() =>
        {
            waiting.Set();
            result = child.Wait();
        });
        waiter.Start();
        waiting.Wait();
        child.Dispose();
        waiter.Join();
        result!.Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Dispose_OfDetachedChild_LetsItRunAndItCanBeWaitedFor() => Guard.Run(() =>
    {
        ChildProcess child = s_sleeper.Start();
        child.Detach();
        child.Dispose();
        child.IsRunning.Should().BeTrue();
        ProcFs.IsAlive(child.ProcessId).Should().BeTrue();
        child.TryWait(TimeSpan.Zero, out _).Should().BeFalse();
        child.Kill();
        child.Wait().ShouldHaveDiedOf(9);
    });
}
