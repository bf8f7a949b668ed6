using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.TimeLimits;

public sealed class IdleTimeoutTests
{
    [Theory]
    [InlineData("")]
    [InlineData("echo out;")]
    [InlineData("echo err >&2;")]
    public void SilentChild_IsStopped(string before) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell($"{before} exec sleep 1000");
        ProcessResult result = (command with { IdleTimeout = TimeSpan.FromMilliseconds(50) }).Run();
        result.Outcome.Should().Be(ProcessOutcome.IdleTimedOut);
        result.StoppedBy.Should().Be(StopCause.IdleTimeout);
        result.RunTime.Should().BeGreaterThanOrEqualTo(TimeSpan.FromMilliseconds(50));
    });

    [Theory]
    [InlineData("")]
    [InlineData(">&2")]
    public void ChildThatKeepsTalking_IsNot(string redirection) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            $"for i in 1 2 3 4 5 6 7 8 9 10; do echo $i {redirection}; sleep 0.05; done; exit 3");

        // So long that no slow machine can make a pause of it.
        ProcessResult result = (command with { IdleTimeout = TimeSpan.FromSeconds(30) }).Run();
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(3);
    });

    [Fact]
    public void TimeoutBeforeTheIdleOne_DecidesTheOutcome() => Guard.Run(() =>
    {
        ProcessCommand command = new ProcessCommand("sleep", "1000") with
        {
            Timeout = TimeSpan.FromMilliseconds(20),
            IdleTimeout = TimeSpan.FromMinutes(10),
        };
        command.Run().Outcome.Should().Be(ProcessOutcome.TimedOut);
    });
}
