using System;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class EnsureSuccessTests
{
    [Fact]
    public void EnsureSuccess_OnSuccess_ReturnsTheResult() => Guard.Run(() =>
    {
        ProcessResult result = new ProcessCommand("true").Run();
        result.EnsureSuccess().Should().BeSameAs(result);
    });

    [Fact]
    public void EnsureSuccess_OnAllowedExitCode_ReturnsTheResult() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("exit 3") with { ExitCodes = [3] };
        command.Run().EnsureSuccess().ExitCode.Should().Be(3);
    });

    [Fact]
    public void EnsureSuccess_OnFailure_NamesCommandCodeAndLastErrorLines() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("echo to standard output; seq 1 25 >&2; exit 4").Run();
        ExitCodeException error = Failure(result);
        error.Result.Should().BeSameAs(result);
        error.Message.Should().Contain("/bin/sh -c").And.Contain("exit code 4").And.NotContain("to standard output\n");
        error.Message.Split('\n').Skip(1).Should().Equal(Enumerable.Range(16, 10).Select(number => $"{number}"));
    });

    [Fact]
    public void EnsureSuccess_OnSilentFailure_NamesCommandAndCodeAlone() => Guard.Run(() =>
    {
        ExitCodeException error = Failure(new ProcessCommand("false").Run());
        error.Message.Should().Be("false: Exited, exit code 1");
    });

    [NativeBackend(".NET reports a death by a signal as an exit code")]
    [Fact]
    public void EnsureSuccess_OnDeathBySignal_NamesTheSignal() => Guard.Run(() =>
        Failure(TestPrograms.Shell("kill -9 $$").Run()).Message.Should().Contain("signal 9"));

    [Fact]
    public void EnsureSuccess_OnTimeout_SaysSo() => Guard.Run(() =>
    {
        ProcessCommand command = new ProcessCommand("sleep", "1000") with { Timeout = TimeSpan.Zero };
        Failure(command.Run()).Message.Should().Contain("TimedOut");
    });

    private static ExitCodeException Failure(ProcessResult result) =>
        result.Invoking(r => r.EnsureSuccess()).Should().ThrowExactly<ExitCodeException>().Which;
}
