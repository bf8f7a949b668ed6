using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>
/// Verifies the end of a child with unread live lines: the run waits for no reader, and no reader loses a line.
/// </summary>
public sealed class LiveLineEndTests
{
    private static readonly ProcessCommand s_flood = Live("seq", "1", "99999999");

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Stop_OfAChildThatNobodyReads_LeavesEveryLineToWhoReadsLater() => Guard.Run(() =>
    {
        using ChildProcess child = s_flood.Start();
        StreamingSupport.WrittenOnceBlocked(child.ProcessId);
        ProcessResult result = child.Stop();
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        ShouldBeAll(child, result);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_OfAChildThatNobodyReads_LeavesEveryLineToWhoReadsLater() => Guard.Run(() =>
    {
        ChildProcess child = s_flood.Start();
        StreamingSupport.WrittenOnceBlocked(child.ProcessId);
        child.Dispose();
        ShouldBeAll(child, child.Wait());
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_OfTheEngine_LeavesEveryLineToWhoReadsLater() => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        ChildProcess child = s_flood.Start(engine);
        StreamingSupport.WrittenOnceBlocked(child.ProcessId);
        engine.Dispose();
        ShouldBeAll(child, child.Wait());
        Eventually.Is(() => engine.ThreadCount == 0, "no thread waits for a reader");
    });

    [Fact]
    public void Timeout_OfAnUnreadChild_LeavesEveryLineToWhoReadsLater() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using ChildProcess child = (s_flood with { Timeout = limit }).Start();
        ProcessResult result = child.Wait();
        result.Outcome.Should().Be(ProcessOutcome.TimedOut);
        ShouldBeAll(child, result);
    }));

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Reader_ThatWaitsForTheStopInTheMiddle_LosesNoLine() => Guard.Run(() =>
    {
        using ChildProcess child = s_flood.Start();
        using ManualResetEventSlim isStopped = new();
        List<string> lines = [];
        Thread reader = new(() =>
        {
            foreach (OutputLine line in child.ReadLines())
            {
                lines.Add(line.Content);
                if (lines.Count == 1000)
                {
                    isStopped.Wait();
                }
            }
        });
        reader.Start();
        StreamingSupport.WrittenOnceBlocked(child.ProcessId);
        ProcessResult result = child.Stop();
        isStopped.Set();
        reader.Join();
        ShouldBeAll(lines, result);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Reader_ThatReadsOnDuringTheStop_LosesNoLine() => Guard.Run(() =>
    {
        for (int round = 0; round < 50; round++)
        {
            using ChildProcess child = s_flood.Start();
            using CountdownEvent isReading = new(1 + (round * 100));
            List<string> lines = [];
            Thread reader = new(() =>
            {
                foreach (OutputLine line in child.ReadLines())
                {
                    lines.Add(line.Content);
                    if (!isReading.IsSet)
                    {
                        isReading.Signal();
                    }
                }
            });
            reader.Start();
            isReading.Wait();
            ProcessResult result = child.Stop(TimeSpan.Zero);
            reader.Join();
            ShouldBeAll(lines, result);
        }
    });

    [Theory]
    [InlineData(257)]
    [InlineData(5000)]
    [InlineData(12_000)]
    public void Child_ThatEndsByItselfWithLinesThatNobodyHasRead_IsNoReasonToWait(int count) => Guard.Run(() =>
    {
        using ChildProcess child = Live("seq", "1", $"{count}", "return", "4").Start();
        ProcessResult result = child.Wait();
        result.ExitCode.Should().Be(4);
        child.Lines.Completion.IsCompleted.Should().BeFalse("there are lines to read");
        StreamingSupport.AreSame(Read(child), StreamingSupport.Numbers(1, count)).Should().BeTrue();
        child.Lines.Completion.IsCompleted.Should().BeTrue();
        child.Lines.WaitToReadAsync().AsTask().Result.Should().BeFalse();
    });

    [Fact]
    public void LinesOfBothStreams_ThatNobodyHasRead_AreKeptApartAndWhole() => Guard.Run(() =>
    {
        ProcessCommand command = Live(
            "spawn", "seq", "1", "12000", "end", "seq-err", "100001", "108000", "wait", "print", "ä without end") with
        {
            StandardError = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        child.Wait().EnsureSuccess();
        List<OutputLine> lines = StreamingSupport.ReadAll(child);
        StreamingSupport.AreSame(
            lines.Where(line => !line.IsError).Select(line => line.Content),
            StreamingSupport.Numbers(1, 12_000).Append("ä without end")).Should().BeTrue();
        StreamingSupport.AreSame(
            lines.Where(line => line.IsError).Select(line => line.Content),
            StreamingSupport.Numbers(100_001, 8000)).Should().BeTrue();
    });

    [Fact]
    public void Count_OfLinesThatNobodyHasRead_IsZeroAtTheirEndOnly() => Guard.Run(() =>
    {
        using ChildProcess child = Live("seq", "1", "12000").Start();
        child.Wait();
        Task end = child.Lines.Completion;
        for (int left = 12_000; left > 0; left--)
        {
            child.Lines.Count.Should().BeInRange(1, left);
            child.Lines.TryRead(out OutputLine line).Should().BeTrue();
        }

        end.IsCompleted.Should().BeTrue();
        child.Lines.Count.Should().Be(0);
    });

    [Fact]
    public void Enumeration_LeftEarlyAfterTheEnd_LetsTheRestGo() => Guard.Run(() =>
    {
        using ChildProcess child = Live("seq", "1", "12000").Start();
        child.Wait().EnsureSuccess();
        child.ReadLines().First().Content.Should().Be("1");
        Read(child).Should().HaveCountLessThan(12_000 - 1);
        child.Lines.Completion.IsCompleted.Should().BeTrue();
        child.Wait().EnsureSuccess();
    });

    [Theory]
    [InlineData("exec seq 1 1000000")]
    [InlineData("exec sleep 1000")]
    [InlineData("seq 1 100")]
    [InlineData("seq 1 1000")]
    [InlineData("trap '' TERM; seq 1 1000000")]
    [OnlyOn(Systems.Unix, "signals")]
    public void Dispose_WithUnreadLines_Ends(string script) => Guard.Run(() =>
    {
        for (int round = 0; round < 2; round++)
        {
            ProcessCommand command = TestPrograms.Shell(script) with
            {
                StandardOutput = OutputTarget.Live(),
                StopGrace = TimeSpan.FromSeconds(0.2),
            };
            ChildProcess child = command.Start();
            child.Lines.TryRead(out _);
            child.Dispose();
            child.IsRunning.Should().BeFalse();
        }
    });

    private static ProcessCommand Live(params string[] words) =>
        TestPrograms.Quick(words) with { StandardOutput = OutputTarget.Live() };

    private static List<string> Read(ChildProcess child) => [.. child.ReadLines().Select(line => line.Content)];

    private static void ShouldBeAll(ChildProcess child, ProcessResult result) => ShouldBeAll(Read(child), result);

    // The lines are everything that the child wrote before its stop, which usually falls in the middle of a line.
    private static void ShouldBeAll(List<string> lines, ProcessResult result)
    {
        string text = string.Join('\n', lines);
        int total = (int)result.StandardOutput.TotalBytes;
        lines.Should().HaveCountGreaterThan(1000);
        text.Length.Should().BeInRange(total - 1, total, "the last line may have an end");

        StringBuilder expected = new();
        for (int number = 1; expected.Length < text.Length; number++)
        {
            expected.Append(number).Append('\n');
        }

        text.Equals(expected.ToString(0, text.Length), StringComparison.Ordinal).Should().BeTrue();
    }
}
