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

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Text_TellsTheLimitOfTheCallerThatPassed() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand sleep = new("sleep", "1000") { Timeout = TimeSpan.FromHours(1) };
        using ProcessExecutor executor = new("name", sleep);
        executor.Run();
        executor.Wait(limit);
        string ofWait = $"sleep 1000: TimedOut after {limit} (the limit of the wait), ";
        executor.Result.ToString().Should().StartWith(ofWait);
        executor.Run();
        ProcessExecutor.WaitAll([executor], limit);
        executor.Result.ToString().Should().StartWith(ofWait);
        executor.Run();
        ProcessExecutor.WaitAllAsync([executor], limit).GetAwaiter().GetResult();
        executor.Result.ToString().Should().StartWith(ofWait);

        ProcessPipeline pipeline = sleep | sleep;
        (pipeline with { Timeout = limit }).Run().Stages.Should().OnlyContain(stage => stage.ToString().StartsWith(
            $"sleep 1000: TimedOut after {limit} (the limit of the pipeline), "));
        pipeline = sleep with { Timeout = limit } | new ProcessCommand("cat");
        (pipeline with { Timeout = TimeSpan.FromHours(1) }).Run().Stages[0].ToString()
            .Should().StartWith($"sleep 1000: TimedOut after {limit}, ");

        ProcessBatch.Run([sleep], new BatchOptions { Timeout = limit }).Results[0].ToString()
            .Should().StartWith($"sleep 1000: TimedOut after {limit} (the limit of the batch), ");
    }));

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Text_TellsTheLimitThatPassedFirst() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessCommand stubborn = TestPrograms.Shell("trap '' TERM; sleep 1000") with
        {
            Timeout = limit,
            StopGrace = TimeSpan.FromMinutes(1),
        };
        using ProcessExecutor executor = new("name", stubborn);
        executor.Run();
        executor.Wait(limit * 4);
        executor.Result.StoppedBy.Should().Be(StopCause.Timeout);
        executor.Result.ToString().Should().Contain($"TimedOut after {limit:c}, ");
    }));
}
