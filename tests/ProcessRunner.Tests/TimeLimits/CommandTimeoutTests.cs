using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.TimeLimits;

public sealed class CommandTimeoutTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(50)]
    public void Timeout_ThatPasses_KillsTheChild(int milliseconds) => Guard.Run(() =>
    {
        TimeSpan timeout = TimeSpan.FromMilliseconds(milliseconds);
        ProcessResult result = (s_sleeper with { Timeout = timeout, StopGrace = TimeSpan.Zero }).Run();
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.ShouldHaveDiedOf(9);
        result.IsSuccess.Should().BeFalse();
        result.RunTime.Should().BeGreaterThanOrEqualTo(timeout);
    });

    [Fact]
    [NativeBackend("the portable backend asks the child alone to stop")]
    public void Timeout_ThatPasses_KillsTheGroupAndKeepsWhatWasWritten() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryDirectory directory = new();
        string ready = directory.At("ready");
        ProcessCommand command = TestPrograms.Quick(
            "echo", "out", "spawn", "touch", ready, "sleep", "1000000", "end", "sleep", "1000000");
        using ChildProcess child = (command with { Timeout = limit }).Start();
        Eventually.Is(() => File.Exists(ready) || !child.IsRunning, "the child has started its own child, or ended");
        File.Exists(ready).Should().BeTrue("the limit has left the child that time");
        int descendant = directory.IdIn("ready");
        ProcessResult result = child.Wait();
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.StandardOutput.Text.Should().Be("out\n");
        Eventually.Is(() => !ProcFs.IsAlive(descendant), "the descendant has ended, too");
    }));

    [Theory]
    [InlineData(120_000)]
    [InlineData(9e14)]
    [InlineData(-1)]
    public void Timeout_ThatDoesNotPass_ChangesNothing(double milliseconds) => Guard.Run(() =>
    {
        ProcessCommand command =
            TestPrograms.Quick("return", "3") with { Timeout = TimeSpan.FromMilliseconds(milliseconds) };
        ProcessResult result = command.Run();
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(3);
    });

    [Fact]
    public void Timeout_OfTheLargestSpan_ChangesNothing() => Guard.Run(() =>
        (TestPrograms.Quick() with { Timeout = TimeSpan.MaxValue }).Run().ExitCode.Should().Be(0));

    [Fact]
    public void Timeouts_OfManyChildren_EachHitsItsOwn() => Guard.Run(() =>
    {
        // The limits fall: every start has an earlier deadline than all starts before it.
        ChildProcess[] children = [.. Enumerable.Range(0, 60).Select(index =>
            (s_sleeper with { Timeout = TimeSpan.FromMilliseconds(300 - (index * 5)) }).Start())];
        using ChildProcess without = s_sleeper.Start();
        foreach (ChildProcess child in children)
        {
            ProcessResult result = child.Wait();
            result.Outcome.Should().Be(ProcessOutcome.TimedOut);
            result.RunTime.Should().BeGreaterThanOrEqualTo(child.Command.Timeout);
        }

        without.IsRunning.Should().BeTrue();
    });

    [Fact]
    public void Timeout_OfDetachedChild_StillHolds() => Guard.Run(() =>
    {
        ChildProcess child = (s_sleeper with { Timeout = TimeSpan.FromMilliseconds(30) }).Start();
        child.Detach();
        child.Dispose();
        child.Wait().Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Fact]
    public void Kill_BeforeTheTimeout_DecidesTheOutcome() => Guard.Run(() =>
    {
        using ChildProcess child = (s_sleeper with { Timeout = TimeSpan.FromMinutes(10) }).Start();
        child.Kill();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Timeout_RacingWithExit_IsOneOrTheOther() => Guard.Run(() =>
    {
        for (int i = 0; i < 500; i++)
        {
            ProcessCommand command = TestPrograms.Quick("return", "3") with
            {
                Timeout = TimeSpan.FromMicroseconds(i * 8),
            };
            ProcessResult result = command.Run();
            bool isExact = result.Outcome switch
            {
                ProcessOutcome.Exited => result.ExitCode == 3,
                ProcessOutcome.TimedOut => result.ExitCode == 3 || result.WasEndedByAStop(),
                _ => false,
            };
            isExact.Should().BeTrue(result.ToString());
        }
    });
}
