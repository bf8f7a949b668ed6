using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Capture;

public sealed class CapturePolicyTests
{
    public static TheoryData<int, int> LimitsAndSizes
    {
        get
        {
            TheoryData<int, int> data = [];
            foreach (int limit in (int[])[0, 1, 2, 3, 10, 4096, 100_001])
            {
                IEnumerable<int> sizes = [0, limit - 1, limit, limit + 1, (2 * limit) + 7, 400_000];
                foreach (int size in sizes.Where(size => size >= 0).Distinct())
                {
                    data.Add(limit, size);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(LimitsAndSizes))]
    public void KeepHead_OfAnySize_KeepsExactlyTheFirstBytes(int limit, int size) => Guard.Run(() =>
    {
        CapturedOutput output = Captured(size, OutputTarget.Capture(limit, CapturePolicy.KeepHead)).StandardOutput;
        byte[] expected = NumberedLines.Bytes(1, size)[..Math.Min(size, limit)];
        ShouldHave(output, expected, size);
        output.Text.Should().Be(Encoding.ASCII.GetString(expected), "nothing was cut out of the middle");
    });

    [Theory]
    [MemberData(nameof(LimitsAndSizes))]
    public void KeepHeadAndTail_OfAnySize_KeepsExactlyBothEnds(int limit, int size) => Guard.Run(() =>
    {
        CapturedOutput output = Captured(size, OutputTarget.Capture(limit)).StandardOutput;
        byte[] all = NumberedLines.Bytes(1, size);
        int tail = limit / 2;
        byte[] expected = size <= limit ? all : [.. all[..(limit - tail)], .. all[(size - tail)..]];
        ShouldHave(output, expected, size);
        if (size <= limit)
        {
            output.Text.Should().Be(Encoding.ASCII.GetString(all));
        }
        else if (tail > 0)
        {
            string head = Encoding.ASCII.GetString(all[..(limit - tail)]);
            string rest = Encoding.ASCII.GetString(all[(size - tail)..]);
            output.Text.Should().StartWith(head).And.EndWith(rest);
            output.Text[head.Length..^rest.Length].Should().Contain($"{size - limit} bytes left out");
        }
    });

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(1, 1)]
    [InlineData(5000, 4999)]
    [InlineData(5000, 5000)]
    public void Fail_WithinTheLimit_IsAnOrdinaryCapture(int limit, int size) => Guard.Run(() =>
    {
        ProcessResult result = Captured(size, OutputTarget.Capture(limit, CapturePolicy.Fail));
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        ShouldHave(result.StandardOutput, NumberedLines.Bytes(1, size), size);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4096)]
    [InlineData(1_000_000)]
    public void Fail_BeyondTheLimit_StopsTheChild(int limit) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("seq", "1", "99999999", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.Capture(limit, CapturePolicy.Fail),
        };
        ProcessResult result = command.Run();
        result.Outcome.Should().Be(ProcessOutcome.OutputLimitExceeded);
        result.StoppedBy.Should().Be(StopCause.OutputLimit);
        result.IsSuccess.Should().BeFalse();
        result.StandardOutput.TotalBytes.Should().BeGreaterThan(limit);
        ShouldHave(result.StandardOutput, NumberedLines.Bytes(1, limit), result.StandardOutput.TotalBytes);
    });

    [Fact]
    public void Fail_OfStandardErrorByOneByte_StopsTheChildAndKeepsItsOutput() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "out", "print-err", "12345", "sleep", "1000000") with
        {
            StandardError = OutputTarget.Capture(4, CapturePolicy.Fail),
        };
        ProcessResult result = command.Run();
        result.Outcome.Should().Be(ProcessOutcome.OutputLimitExceeded);
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Text.Should().Be("1234");
        result.StandardError.TotalBytes.Should().Be(5);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Fail_SeenInTheLastBytesOfAnEndedChild_IsAlwaysTold(bool isAwaited) => Guard.Run(() =>
    {
        for (int round = 0; round < 300; round++)
        {
            ProcessCommand command = TestPrograms.Quick("print", "12345") with
            {
                StandardOutput = OutputTarget.Capture(4, CapturePolicy.Fail),
            };
            ProcessResult result = isAwaited ? command.RunAsync().GetAwaiter().GetResult() : command.Run();
            (result.Outcome, result.StoppedBy, result.IsSuccess)
                .Should().Be((ProcessOutcome.OutputLimitExceeded, StopCause.OutputLimit, false));
            result.StandardOutput.TotalBytes.Should().Be(5);
            result.StandardOutput.IsTruncated.Should().BeTrue();
        }
    });

    // The child writes nothing more that could wake a thread: only the ladder's own deadline brings SIGKILL.
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Fail_OfChildThatIgnoresTheStopSignal_IsKilledAfterTheGrace() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("trap '' TERM; printf 12345; while :; do sleep 0.1; done") with
        {
            StandardOutput = OutputTarget.Capture(4, CapturePolicy.Fail),
            StopGrace = TimeSpan.FromMilliseconds(100),
        };
        using ChildProcess child = command.Start();
        child.TryWait(TimeSpan.FromSeconds(60), out ProcessResult? result).Should().BeTrue("SIGKILL follows");
        (result!.Outcome, result.SignalNumber).Should().Be((ProcessOutcome.OutputLimitExceeded, 9));
    });

    // A descendant exceeds the limit, and the ladder reaches it as well.
    [NativeBackend(".NET finds no descendants after the exit of a child")]
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Fail_ByADescendantAfterTheExit_StopsTheDescendant() => Guard.Run(() =>
    {
        using Trace trace = new();
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        ProcessCommand command = TestPrograms.Shell(
            "(read line <\"$1\"; printf 12345; exec sleep 1000 >&- 2>&-) & exit 0", go) with
        {
            StandardOutput = OutputTarget.Capture(4, CapturePolicy.Fail),
            DrainGrace = Timeout.InfiniteTimeSpan,
            Environment = trace.Variables,
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => !ProcFs.IsAlive(child.ProcessId), "the child has exited");
        System.IO.File.WriteAllText(go, "go\n");
        ProcessResult result = child.Wait();
        (result.Outcome, result.ExitCode).Should().Be((ProcessOutcome.OutputLimitExceeded, 0));
        trace.Live().Should().BeEmpty();
    });

    [Theory]
    [InlineData(-1L, CapturePolicy.KeepHead)]
    [InlineData(1L + int.MaxValue, CapturePolicy.KeepHeadAndTail)]
    [InlineData(1L, (CapturePolicy)99)]
    public void Limit_OutsideItsRange_IsRefused(long limit, CapturePolicy policy)
    {
        Action capture = () => OutputTarget.Capture(limit, policy);
        capture.Should().Throw<ArgumentOutOfRangeException>();
    }

    [Fact]
    public void LimitedSink_FilledInRandomPieces_AgreesWithASimpleReference()
    {
        Random random = new(5);
        for (int round = 0; round < 5_000; round++)
        {
            int head = random.Next(3) == 0 ? random.Next(20_000) : random.Next(40);
            int tail = random.Next(3) == 0 ? random.Next(20_000) : random.Next(40);
            byte[] all =
                StreamingSupport.RandomBytes(round, random.Next(2) == 0 ? random.Next(60) : random.Next(50_000));
            LimitedCaptureSink sink = new(new SegmentPool(new CaptureBudget(long.MaxValue)), head, tail, null);
            ReadOnlySpan<byte> rest = all;
            while (!rest.IsEmpty)
            {
                // The pieces arrive as in a read: first the bytes that fit, then the rest.
                int count = Math.Min(rest.Length, random.Next(2) == 0 ? random.Next(1, 30) : random.Next(1, 30_000));
                int direct = Math.Min(count, sink.GetRoom().Length);
                rest[..direct].CopyTo(sink.GetRoom());
                sink.Commit(direct);
                sink.Append(rest[direct..count]);
                rest = rest[count..];
            }

            byte[] expected = all.Length <= head + tail ? all : [.. all[..head], .. all[(all.Length - tail)..]];
            CapturedOutput output = sink.Captured(new Decoding(Encoding.UTF8), isHeldOpen: false);
            (output.Bytes.ToArray().AsSpan().SequenceEqual(expected) && output.TotalBytes == all.Length)
                .Should().BeTrue($"round {round}: head {head}, tail {tail}, size {all.Length}");
        }
    }

    [Fact]
    public void Tail_ThatBeginsWithAZeroWidthNoBreakSpace_KeepsIt() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("print", "12345678\uFEFFx") with
        {
            StandardOutput = OutputTarget.Capture(8),
        };
        command.Run().StandardOutput.Text
            .Should().EndWith("\n\uFEFFx", "only the beginning of a stream has a byte order mark");
    });

    private static ProcessResult Captured(int size, OutputTarget target) =>
        (NumberedLines.Command(1, size) with { StandardOutput = target }).Run();

    private static void ShouldHave(CapturedOutput output, byte[] expected, long total)
    {
        output.TotalBytes.Should().Be(total);
        output.IsTruncated.Should().Be(total > expected.Length);
        output.IsSpilled.Should().BeFalse();
        output.Bytes.ToArray().AsSpan().SequenceEqual(expected).Should().BeTrue("these are the bytes to keep");
        StreamingSupport.Hash(output.OpenRead()).Should().Be(StreamingSupport.Hash(expected));
    }
}
