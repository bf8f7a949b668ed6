using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using FluentAssertions;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>Verifies that users can make results and exceptions for their tests, and none that cannot be.</summary>
public sealed class ConstructedResultTests
{
    private static readonly ProcessCommand s_command = new("git", "status");

    [Fact]
    public void ProcessResult_HasWhatItWasMadeOf()
    {
        ProcessResult result = new(s_command, 3, "out", "err\n") { ProcessId = 7, StoppedBy = StopCause.Timeout };
        result.ExitCode.Should().Be(3);
        result.StandardOutput.Text.Should().Be("out");
        result.StandardError.Lines().Should().Equal("err");
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.StartAttempts.Should().Be(1);
        new ProcessResult(s_command).IsSuccess.Should().BeTrue();
        new ProcessResult(s_command, PosixSignal.SIGTERM).SignalNumber.Should().Be(15);
        new ProcessResult(s_command, (PosixSignal)9).ToString().Should().Contain("SIGKILL");
    }

    [Fact]
    public void ProcessResult_RefusesNull()
    {
        FluentActions.Invoking(() => new ProcessResult(s_command) { Channels = null! })
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => new ProcessResult(s_command) { SurvivingDescendants = null! })
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => new ProcessResult(s_command) { KilledDescendants = null! })
            .Should().ThrowExactly<ArgumentNullException>();
    }

    [Fact]
    public void ProcessResult_HasWhatATestSets()
    {
        ProcessResult result = new(s_command)
        {
            UserProcessorTime = TimeSpan.FromSeconds(1),
            PrivilegedProcessorTime = TimeSpan.FromSeconds(2),
            PeakWorkingSet = 3,
            KilledDescendants = [new SurvivingProcess(4, "x")],
            SurvivingDescendants = [new SurvivingProcess(5, "y")],
            Channels = new Dictionary<int, CapturedOutput> { [6] = new CapturedOutput("z") },
        };
        (result.UserProcessorTime.Seconds, result.PrivilegedProcessorTime.Seconds, result.PeakWorkingSet)
            .Should().Be((1, 2, 3));
        result.KilledDescendants[0].ProcessId.Should().Be(4);
        result.SurvivingDescendants[0].ProcessId.Should().Be(5);
        result.Channels[6].Text.Should().Be("z");
    }

    [Fact]
    public void BatchSummary_CountsItsResults()
    {
        BatchResult good = BatchResult.Create(new BatchItem(s_command), new ProcessResult(s_command));
        BatchResult bad = BatchResult.Create(new BatchItem(s_command), new ProcessResult(s_command, 1));
        BatchResult flaky = BatchResult.Create(
            new BatchItem(s_command), new ProcessResult(s_command), earlierAttempts: [bad.Result!]);
        BatchSummary summary = new([good, bad, flaky]) { NotStarted = 4, StoppedBy = StopCause.BatchTimeout };
        $"{summary}".Should().Be("2 passed, 1 failed, 4 not started, stopped by BatchTimeout");
        summary.Flaky.Should().Be(1);
        summary.IsSuccess.Should().BeFalse();
        new BatchSummary([good]).IsSuccess.Should().BeTrue();
        Refuses(() => new BatchSummary(null!));
        Refuses(() => new BatchSummary([null!]));
    }

    [Fact]
    public void BatchProgress_HasWhatATestSets()
    {
        BatchProgress progress = new() { Passed = 2, Queued = 3 };
        $"{progress}".Should().Be("2 passed, 0 failed, 0 running, 3 queued, 0 not started");
        progress.Longest.Should().BeEmpty();
        Refuses(() => new BatchProgress { Longest = null! });
    }

    [Fact]
    public void ProcessResult_OfNothing_Throws()
    {
        Refuses(() => new ProcessResult(null!));
        Refuses(() => new ProcessResult(s_command, 0, null!));
        Refuses(() => new ProcessResult(s_command, (PosixSignal)999));
        Refuses(() => new ProcessResult(s_command) { RunTime = TimeSpan.FromSeconds(-1) });
        Refuses(() => new ProcessResult(s_command) { StandardError = null! });
    }

    [Fact]
    public void CapturedOutput_HasItsBytesAndText()
    {
        CapturedOutput output = new("ä\nb");
        output.Lines().Should().Equal("ä", "b");
        output.TotalBytes.Should().Be(4);
        new CapturedOutput([0xE4, 0x0A], System.Text.Encoding.Latin1).Text.Should().Be("ä\n");
        new CapturedOutput("").Bytes.Length.Should().Be(0);
        Refuses(() => new CapturedOutput((string)null!));
    }

    [Fact]
    public void Exceptions_HaveWhatTheyWereMadeOf()
    {
        ProcessResult failed = new(s_command, 1, standardError: "fatal: bad\n");
        new ExitCodeException(failed).Message.Should().Contain("fatal: bad");
        ProcessStartException start = new(s_command, ProcessStartStep.NotFound, "it is missing", 2);
        start.FileName.Should().Be("git");
        start.Message.Should().Contain("it is missing")
            .And.Contain(OperatingSystem.IsWindows() ? "error 2" : "errno 2");
        new ProcessStartException(s_command, ProcessStartStep.NotFound, "it is missing").Message
            .Should().Be("Cannot start 'git': it is missing.");
        Refuses(() => new ExitCodeException(null!));
        Refuses(() => new ProcessStartException(null!, ProcessStartStep.NotFound, ""));
        Refuses(() => new ProcessStartException(s_command, (ProcessStartStep)99, ""));
    }

    [Fact]
    public void PipelineResult_AndBatchResult_AreMadeOfResults()
    {
        ProcessResult good = new(s_command);
        ProcessResult bad = new(s_command, 1);
        new PipelineResult([bad, good]).IsSuccess.Should().BeFalse();
        new PipelineResult([bad, good], pipeFail: false).IsSuccess.Should().BeTrue();
        BatchResult.Create(new BatchItem(s_command), good, earlierAttempts: [bad]).IsFlaky.Should().BeTrue();
        new BatchResult<string>(new BatchItem<string>(s_command, "tag"), good).Tag.Should().Be("tag");
        Refuses(() => new PipelineResult([]));
        Refuses(() => new PipelineResult([null!]));
        Refuses(() => BatchResult.Create(new BatchItem(s_command), result: null));
        Refuses(() => BatchResult.Create(null!, good));
    }

    private static void Refuses(Func<object> make) => make.Should().Throw<ArgumentException>();
}
