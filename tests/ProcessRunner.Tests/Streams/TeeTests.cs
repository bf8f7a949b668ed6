using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

public sealed class TeeTests
{
    private const int Size = 3_000_000;

    [Fact]
    public void Tee_OfSeveralTargets_GivesEachOfThemEverything() => Guard.Run(() =>
    {
        using MemoryStream stream = new();
        using MemoryStream bytes = new();
        List<string> lines = [];
        ProcessResult result = Printing(OutputTarget.Tee(
            OutputTarget.Capture(),
            OutputTarget.ToStream(stream),
            OutputTarget.ToBytes(chunk => bytes.Write(chunk)),
            OutputTarget.ToLines(line => lines.Add(line.Content)),
            OutputTarget.Capture(100))).Run().EnsureSuccess();
        byte[] expected = NumberedLines.Bytes(1, Size);
        ShouldBe(stream.ToArray(), expected);
        ShouldBe(bytes.ToArray(), expected);
        ShouldBe(result.StandardOutput.Bytes.ToArray(), expected);
        StreamingSupport.AreSame(lines, result.StandardOutput.Lines()).Should().BeTrue();
        result.StandardOutput.TotalBytes.Should().Be(Size);
    });

    [Fact]
    public void Tee_WithLiveLinesAndASpill_GivesBothEverything() => Guard.Run(() =>
    {
        using ChildProcess child = Printing(OutputTarget.Tee(
            OutputTarget.Live(), OutputTarget.Capture(1000, CapturePolicy.SpillToFile))).Start();
        List<OutputLine> lines = StreamingSupport.ReadAll(child);
        ProcessResult result = child.Wait().EnsureSuccess();
        StreamingSupport.AreSame(lines.Select(line => line.Content), result.StandardOutput.Lines()).Should().BeTrue();
        ShouldBe(result.StandardOutput.Bytes.ToArray(), NumberedLines.Bytes(1, Size));
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Tee_WithOneThatThrows_GivesTheOthersEverythingAndThrowsTheSame(int place) => Guard.Run(() =>
    {
        using MemoryStream stream = new();
        InvalidTimeZoneException thrown = new("on purpose");
        int calls = 0;
        List<OutputTarget> targets = [OutputTarget.Capture(), OutputTarget.ToStream(stream)];
        targets.Insert(place, OutputTarget.ToBytes(_ =>
        {
            calls++;
            throw thrown;
        }));
        Exception? exception = StreamingSupport.Thrown(() => Printing(OutputTarget.Tee([.. targets])).Run());
        exception.Should().BeSameAs(thrown);
        ProcessResult result = ProcessResult.Of(exception!)!;
        result.EnsureSuccess();
        byte[] expected = NumberedLines.Bytes(1, Size);
        ShouldBe(stream.ToArray(), expected);
        ShouldBe(result.StandardOutput.Bytes.ToArray(), expected);
        calls.Should().Be(1, "a target that has thrown is not called again");
    });

    [Fact]
    public void Tee_WithOneThatBlocksForEver_CutsItOffAndGivesTheOthersEverything() => Guard.Run(() =>
    {
        using ManualResetEventSlim never = new();
        using MemoryStream stream = new();
        Exception? exception = StreamingSupport.Thrown(() => Printing(OutputTarget.Tee(
            OutputTarget.ToBytes(_ => never.Wait()), OutputTarget.Capture(), OutputTarget.ToStream(stream))).Run());
        never.Set();
        exception.Should().BeOfType<TimeoutException>();
        ProcessResult result = ProcessResult.Of(exception!)!;
        result.EnsureSuccess();
        byte[] expected = NumberedLines.Bytes(1, Size);
        ShouldBe(stream.ToArray(), expected);
        ShouldBe(result.StandardOutput.Bytes.ToArray(), expected);
    });

    [Fact]
    public void Tee_WithLiveLinesThatNobodyReads_CutsThemOffAndCapturesEverything() => Guard.Run(() =>
    {
        using ChildProcess child = Printing(OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture())).Start();
        Exception? exception = StreamingSupport.Thrown(() => child.Wait());
        exception.Should().BeOfType<TimeoutException>();
        ShouldBe(ProcessResult.Of(exception!)!.StandardOutput.Bytes.ToArray(), NumberedLines.Bytes(1, Size));
    });

    [Fact]
    public void Tee_WithOneThatBlocksBesideOneThatIsSlow_CutsTheBlockedOneOffAndBuffersLittle() => Guard.Run(() =>
    {
        // The blocked receiver is released as soon as the slow one has received far more than a buffer of the other
        // could hold.
        using ManualResetEventSlim isFar = new();
        long taken = 0;
        Exception? exception = StreamingSupport.Thrown(() => (TestPrograms.Quick("zeros", "40000000") with
        {
            StandardOutput = OutputTarget.Tee(
                OutputTarget.ToBytes(_ => isFar.Wait()),
                OutputTarget.ToBytes(bytes =>
                {
                    taken += bytes.Length;
                    if (taken > 10_000_000)
                    {
                        isFar.Set();
                    }

                    Thread.Sleep(2);
                })),
        }).Run());
        isFar.Set();
        exception.Should().BeOfType<TimeoutException>("a target that takes nothing is cut off, and the others go on");
        taken.Should().Be(40_000_000);
    });

    [Fact]
    public void Tee_InsideATee_CutsOneThatBlocksOffAsWell() => Guard.Run(() =>
    {
        using ManualResetEventSlim never = new();
        OutputTarget inner = OutputTarget.Tee(OutputTarget.ToBytes(_ => never.Wait()), OutputTarget.Capture());
        ProcessCommand command = Printing(OutputTarget.Tee(inner, OutputTarget.Capture(10))) with
        {
            Timeout = TimeSpan.FromMinutes(5),
        };
        Exception? exception = StreamingSupport.Thrown(() => command.Run());
        never.Set();
        exception.Should().BeOfType<TimeoutException>();
        ShouldBe(ProcessResult.Of(exception!)!.StandardOutput.Bytes.ToArray(), NumberedLines.Bytes(1, Size));
    });

    [Fact]
    public void Tee_WithOneThatIsSlowerThanThePatienceInAll_IsNotCutOff() => Guard.Run(() =>
    {
        using MemoryStream slow = new();
        ProcessResult result = Printing(OutputTarget.Tee(
            OutputTarget.ToBytes(bytes =>
            {
                slow.Write(bytes);
                Thread.Sleep(150);
            }),
            OutputTarget.Capture())).Run().EnsureSuccess();
        ShouldBe(slow.ToArray(), NumberedLines.Bytes(1, Size));
        ShouldBe(result.StandardOutput.Bytes.ToArray(), NumberedLines.Bytes(1, Size));
    });

    // 64 KiB are thousands of lines, so that each of these receivers is longer in one chunk than the patience.
    [Fact]
    public void Tee_WithLinesThatAreTakenSlowly_CutsNothingOff() => Guard.Run(() =>
    {
        List<string> lines = [];
        SlowStart slow = new(TimeSpan.FromSeconds(12));
        ProcessResult result = Printing(OutputTarget.Tee(
            OutputTarget.ToLines(line =>
            {
                lines.Add(line.Content);
                slow.Take();
            }),
            OutputTarget.Capture())).Run().EnsureSuccess();
        StreamingSupport.AreSame(lines, result.StandardOutput.Lines()).Should().BeTrue();
        ShouldBe(result.StandardOutput.Bytes.ToArray(), NumberedLines.Bytes(1, Size));
    });

    [Fact]
    public void Tee_WithLiveLinesThatAreReadSlowly_CutsNothingOff() => Guard.Run(() =>
    {
        SlowStart slow = new(TimeSpan.FromSeconds(7));
        using ChildProcess child = Printing(OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture())).Start();
        List<OutputLine> lines = StreamingSupport.ReadAll(child, _ => slow.Take());
        ProcessResult result = child.Wait().EnsureSuccess();
        StreamingSupport.AreSame(lines.Select(line => line.Content), result.StandardOutput.Lines()).Should().BeTrue();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "SIGSTOP for the host")]
    public void Tee_WhileThisProcessIsStopped_CutsNothingOff() => Guard.Run(() => HostProcess.Play("stopped-tee"));

    [Fact]
    public void Tee_WithAFailingLimit_StopsTheChild() => Guard.Run(() =>
    {
        using MemoryStream stream = new();
        ProcessCommand command = TestPrograms.Quick("seq", "1", "99999999") with
        {
            StandardOutput =
                OutputTarget.Tee(OutputTarget.Capture(5000, CapturePolicy.Fail), OutputTarget.ToStream(stream)),
        };
        ProcessResult result = command.Run();
        result.Outcome.Should().Be(ProcessOutcome.OutputLimitExceeded);
        result.StandardOutput.Bytes.Length.Should().Be(5000);
        stream.Length.Should().BeGreaterThanOrEqualTo(5000);
    });

    [Fact]
    public void Tee_OfNothingOrOfWhatIsNotServedByUs_IsRefused()
    {
        ((Action)(() => OutputTarget.Tee())).Should().ThrowExactly<ArgumentException>()
            .WithMessage("A Tee needs at least one target.*");
        ((Action)(() => OutputTarget.Tee(null!))).Should().Throw<ArgumentNullException>();
        ((Action)(() => OutputTarget.Tee(OutputTarget.Capture(), null!))).Should().Throw<ArgumentNullException>();
        foreach (OutputTarget target in (OutputTarget[])
            [OutputTarget.Null, OutputTarget.Inherit, OutputTarget.MergeIntoOutput, OutputTarget.ToFile("/dev/null")])
        {
            ((Action)(() => OutputTarget.Tee(OutputTarget.Capture(), target)))
                .Should().ThrowExactly<ArgumentException>().WithMessage($"*{target} *");
        }
    }

    private static ProcessCommand Printing(OutputTarget target) =>
        NumberedLines.Command(1, Size) with { StandardOutput = target };

    /// <summary>Represents a receiver that takes one line after another, slowly for some time.</summary>
    private sealed class SlowStart(TimeSpan duration)
    {
        private readonly long _begin = Stopwatch.GetTimestamp();

        public void Take()
        {
            if (Stopwatch.GetElapsedTime(_begin) < duration)
            {
                Thread.Sleep(2);
            }
        }
    }

    private static void ShouldBe(byte[] actual, byte[] expected)
    {
        actual.Length.Should().Be(expected.Length);
        actual.AsSpan().SequenceEqual(expected).Should().BeTrue();
    }
}
