using System;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class EnsureSuccessTests
{
    [Fact]
    public void EnsureSuccess_OnSuccess_ReturnsTheResult() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick().Run();
        result.EnsureSuccess().Should().BeSameAs(result);
    });

    [Fact]
    public void EnsureSuccess_OnAllowedExitCode_ReturnsTheResult() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("return", "3") with { ExitCodes = [3] };
        command.Run().EnsureSuccess().ExitCode.Should().Be(3);
    });

    [Fact]
    public void EnsureSuccess_OnFailure_NamesCommandCodeAndLastErrorLines() => Guard.Run(() =>
    {
        ProcessResult result =
            TestPrograms.Quick("echo", "to standard output", "seq-err", "1", "25", "return", "4").Run();
        ExitCodeException error = Failure(result);
        error.Result.Should().BeSameAs(result);
        error.Message.Should().Contain("seq-err 1 25").And.Contain("exit code 4")
            .And.NotContain("to standard output\n");
        error.Message.ReplaceLineEndings("\n").Split('\n').Skip(1)
            .Should().Equal(Enumerable.Range(16, 10).Select(number => $"{number}"));
    });

    [Fact]
    public void EnsureSuccess_OnSilentFailure_NamesCommandAndCodeAlone() => Guard.Run(() =>
    {
        ExitCodeException error = Failure(TestPrograms.Quick("return", "1").Run());
        error.Message.Should().EndWith(" return 1: Exited, exit code 1");
    });

    [NativeBackend(".NET reports a death by a signal as an exit code")]
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void EnsureSuccess_OnDeathBySignal_NamesTheSignal() => Guard.Run(() =>
        Failure(TestPrograms.Shell("kill -9 $$").Run()).Message.Should().Contain("signal 9"));

    [Fact]
    public void EnsureSuccess_OnTimeout_SaysSo() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with { Timeout = TimeSpan.Zero };
        Failure(command.Run()).Message.Should().Contain("TimedOut");
    });

    private static ExitCodeException Failure(ProcessResult result) =>
        result.Invoking(r => r.EnsureSuccess()).Should().ThrowExactly<ExitCodeException>().Which;
}
