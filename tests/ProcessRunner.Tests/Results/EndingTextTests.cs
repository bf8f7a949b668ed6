using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>Verifies that the text of a result tells what a reader must know.</summary>
public sealed class EndingTextTests
{
    [Theory]
    [InlineData("kill -9 $$", "signal 9 (SIGKILL)")]
    [InlineData("kill -15 $$", "signal 15 (SIGTERM)")]
    [InlineData("kill -10 $$", "signal 10 (SIGUSR1)")]
    [InlineData("kill -31 $$", "signal 31 (SIGSYS)")]
    [InlineData("kill -40 $$", "signal 40")]
    [InlineData("exit 3", "Exited, exit code 3")]
    [NativeBackend(".NET reports a death by a signal as an exit code")]
    [OnlyOn(Systems.Unix, "signals")]
    public void Text_NamesTheSignalOrTheExitCode(string script, string ending) => Guard.Run(() =>
        TestPrograms.Shell(script).Run().ToString().Should().EndWith(ending));

    [Fact]
    public void Text_TellsTheLimitThatPassed() => Guard.Run(() =>
    {
        ProcessCommand sleep = TestPrograms.Quick("sleep", "1000000") with { StopGrace = TimeSpan.Zero };
        (sleep with { Timeout = TimeSpan.FromSeconds(0.05) }).Run().ToString()
            .Should().StartWith($"{sleep}: TimedOut after 00:00:00.0500000, ");
        (sleep with { IdleTimeout = TimeSpan.FromSeconds(0.05) }).Run().ToString()
            .Should().StartWith($"{sleep}: IdleTimedOut after 00:00:00.0500000 of silence, ");
    });
}
