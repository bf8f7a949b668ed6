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

    [Fact]
    public void EnsureSuccess_OnFailureWhoseCaptureWasReleased_StillNamesTheCode() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("seq-err", "1", "2", "return", "5").Run();
        result.StandardError.Release();
        Failure(result).Message.Should().Contain("exit code 5").And.NotContain("The last lines");
    });

    [Fact]
    public void EnsureSuccess_OnFailureWithALongError_ReadsItsEndAlone() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("seq-err", "1", "100000", "return", "6") with
        {
            StandardError = OutputTarget.Capture(10_000, CapturePolicy.SpillToFile),
        };
        ProcessResult result = command.Run();
        result.StandardError.IsSpilled.Should().BeTrue();
        long before = GC.GetAllocatedBytesForCurrentThread();
        string[] lines = Failure(result).Message.ReplaceLineEndings("\n").Split('\n');
        (GC.GetAllocatedBytesForCurrentThread() - before).Should().BeLessThan(8_000_000);
        lines.Skip(1).Should().Equal(Enumerable.Range(99_991, 10).Select(number => $"{number}"));
    });

    private static ExitCodeException Failure(ProcessResult result) =>
        result.Invoking(r => r.EnsureSuccess()).Should().ThrowExactly<ExitCodeException>().Which;
}
