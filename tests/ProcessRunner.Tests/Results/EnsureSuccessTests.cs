using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class EnsureSuccessTests
{
    private static readonly ProcessCommand s_command = new("git", "status");

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
        Lines(error).Should().Equal(Enumerable.Range(16, 10).Select(number => $"{number}"));
    });

    [Fact]
    public void EnsureSuccess_OnSilentFailure_NamesCommandAndCodeAlone() => Guard.Run(() =>
    {
        ExitCodeException error = Failure(TestPrograms.Quick("return", "1").Run());
        error.Message.Should().EndWith(" return 1: Exited, exit code 1");
    });

    [Fact]
    public void EnsureSuccess_AfterTheRelease_NamesCommandAndCodeAlone() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("seq-err", "1", "3", "return", "4").Run();
        result.StandardError.Release();
        ExitCodeException error = Failure(result);
        error.Result.Should().BeSameAs(result);
        error.Message.Should().EndWith("exit code 4");
    });

    [Fact]
    public void EnsureSuccess_AfterTheReleaseOfATextThatWasRead_HasItsLines() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("seq-err", "1", "3", "return", "4").Run();
        result.StandardError.Text.Should().NotBeEmpty();
        result.StandardError.Release();
        Lines(Failure(result)).Should().Equal("1", "2", "3");
    });

    [Fact]
    public void EnsureSuccess_OfABatchAfterTheRelease_NamesEveryFailure() => Guard.Run(() =>
    {
        BatchSummary summary = ProcessBatch.Run([TestPrograms.Quick("seq-err", "1", "3", "return", "4")]);
        summary.Results[0].Result!.StandardError.Release();
        summary.Invoking(batch => batch.EnsureSuccess()).Should().ThrowExactly<AggregateException>()
            .Which.InnerExceptions.Should().ContainSingle().Which.Should().BeOfType<ExitCodeException>();
    });

    [Fact]
    public void EnsureSuccess_OnErrorsInAFile_NamesTheLastLines() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("seq-err", "1", "100000", "return", "4") with
        {
            StandardError = OutputTarget.Capture(1000, CapturePolicy.SpillToFile),
        };
        ProcessResult result = command.Run();
        result.StandardError.IsSpilled.Should().BeTrue();
        Lines(Failure(result)).Should().Equal(Enumerable.Range(99_991, 10).Select(number => $"{number}"));
    });

    // More than an array can have.
    [Fact]
    public void EnsureSuccess_OnMoreThanFitsIntoMemory_ReadsTheEndAlone()
    {
        CapturedOutput output = Spilled(new FormulaFile(3L << 30, offset => offset % 5 == 4 ? (byte)'\n' : (byte)'x'));
        Lines(Failure(new ProcessResult(s_command, 4) { StandardError = output }))
            .Should().Equal([.. Enumerable.Repeat("xxxx", 9), "xx"]);
    }

    [Fact]
    public void EnsureSuccess_OnAFileThatCannotBeRead_NamesCommandAndCodeAlone()
    {
        CapturedOutput output = Spilled(new FormulaFile(1000, _ => throw new IOException("no such disk")));
        Failure(new ProcessResult(s_command, 4) { StandardError = output }).Message.Should().EndWith("exit code 4");
    }

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

    private static CapturedOutput Spilled(FormulaFile file)
    {
        CaptureLease lease = new(new SegmentPool(new CaptureBudget(long.MaxValue))) { Spilled = file };
        return new CapturedOutput(default, new Decoding(Encoding.UTF8), lease);
    }

    private static IEnumerable<string> Lines(ExitCodeException error) =>
        error.Message.ReplaceLineEndings("\n").Split('\n').Skip(1);

    private static ExitCodeException Failure(ProcessResult result) =>
        result.Invoking(r => r.EnsureSuccess()).Should().ThrowExactly<ExitCodeException>().Which;
}
