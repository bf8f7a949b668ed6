using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

public sealed class LiveLineTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(257)]
    [InlineData(10_000)]
    [InlineData(500_000)]
    public void Lines_OfAnyNumber_ComeInOrderAndComplete(int count) => Guard.Run(() =>
    {
        using ChildProcess child = Live("seq", "1", $"{count}").Start();
        List<OutputLine> lines = StreamingSupport.ReadAll(child);
        child.Wait().EnsureSuccess();
        StreamingSupport.AreSame(lines.Select(line => line.Content), StreamingSupport.Numbers(1, count))
            .Should().BeTrue();
        lines.Should().NotContain(line => line.IsError || line.IsPartial);
        child.Lines.Completion.IsCompleted.Should().BeTrue();
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(20_000)]
    public void ReadLinesAsync_OfAnyNumber_YieldsAllInOrder(int count) => Guard.Run(() =>
    {
        ReadAsync().GetAwaiter().GetResult();

        async Task ReadAsync()
        {
            using ChildProcess child = Live("seq", "1", $"{count}").Start();
            List<string> lines = [];
            await foreach (OutputLine line in child.ReadLinesAsync())
            {
                lines.Add(line.Content);
            }

            ProcessResult result = await child.WaitAsync();
            result.EnsureSuccess();
            StreamingSupport.AreSame(lines, StreamingSupport.Numbers(1, count)).Should().BeTrue();
        }
    });

    [Fact]
    public void Lines_OfBothStreams_AreToldApartAndInOrderEach() => Guard.Run(() =>
    {
        ProcessCommand command = Live(
            "spawn", "seq", "1", "20000", "echo", "the end", "end", "seq-err", "100001", "120000", "wait") with
        {
            StandardError = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        List<OutputLine> lines = StreamingSupport.ReadAll(child);
        child.Wait().EnsureSuccess();
        StreamingSupport.AreSame(
            lines.Where(line => !line.IsError).Select(line => line.Content),
            StreamingSupport.Numbers(1, 20_000).Append("the end")).Should().BeTrue();
        StreamingSupport.AreSame(
            lines.Where(line => line.IsError).Select(line => line.Content),
            StreamingSupport.Numbers(100_001, 20_000)).Should().BeTrue();
    });

    [Fact]
    public void Timestamps_OfOneStream_NeverGoBackAndLieWithinTheRun() => Guard.Run(() => SteadyClock.During(() =>
    {
        DateTimeOffset before = DateTimeOffset.UtcNow;
        using ChildProcess child = Live("seq", "1", "20000").Start();
        List<OutputLine> lines = StreamingSupport.ReadAll(child);
        child.Wait();
        lines.Zip(lines.Skip(1)).Should().OnlyContain(pair => pair.First.Timestamp <= pair.Second.Timestamp);
        lines[0].Timestamp.Should().BeOnOrAfter(before.AddSeconds(-1));
        lines[^1].Timestamp.Should().BeOnOrBefore(DateTimeOffset.UtcNow.AddSeconds(1));
        lines.Should().OnlyContain(line => line.Timestamp.Offset == TimeSpan.Zero);
    }));

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Timestamp_OfALineReadWhileTheReaderWasBusy_IsWhenItWasReadFromTheChild() =>
        Guard.Run(() => SteadyClock.During(() =>
    {
        using TemporaryDirectory directory = new();

        // Each step has its own FIFO: a reader that reopens a FIFO may meet the previous writer, who has not closed it
        // yet.
        string[] fifos = [directory.Fifo("1"), directory.Fifo("2"), directory.Fifo("3")];
        using ManualResetEventSlim isToReturn = new();
        List<OutputLine> lines = [];

        // The pause separates the two lines: lines that arrive close together share a time.
        ProcessCommand command = TestPrograms.Shell(
            "echo first; echo >&2; read go <\"$1\"; echo early; echo >&2; read go <\"$2\"; echo >&2; read go <\"$3\"; "
            + "sleep 0.2; echo late",
            fifos) with
        {
            StandardOutput = OutputTarget.ToLines(line =>
            {
                lines.Add(line);
                isToReturn.Wait();
            }),
            StandardError = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        for (int mark = 0; mark < 2; mark++)
        {
            child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult();
            File.WriteAllText(fifos[mark], "go\n");
        }

        // The reactor has returned from the other stream twice since the line was written.
        child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult();
        DateTimeOffset between = DateTimeOffset.UtcNow;
        File.WriteAllText(fifos[2], "go\n");
        Eventually.Is(() => !ProcFs.IsAlive(child.ProcessId), "the child has written all");
        isToReturn.Set();
        child.Wait().EnsureSuccess();
        lines.Select(line => line.Content).Should().Equal("first", "early", "late");
        lines[1].Timestamp.Should().BeOnOrBefore(between);
        lines[2].Timestamp.Should().BeAfter(between);
    }));

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Reader_ThatStops_HoldsItsChildUpAndNobodyElseAndLosesNothing() => Guard.Run(() =>
    {
        const int Count = 1_500_000;
        using ChildProcess child = Live("seq", "1", $"{Count}").Start();
        const int MostOnTheWay = 4 * 1024 * 1024;
        long written = StreamingSupport.WrittenOnceBlocked(child.ProcessId);
        written.Should().BeLessThan(MostOnTheWay, "the bytes on the way are bounded");
        child.Lines.Count.Should().BeInRange(1, 300);
        ProcessCommand fast = TestPrograms.Quick("echo", "fast", "err", "err");
        ChildProcess[] others = [.. Enumerable.Range(0, 100).Select(_ => fast.Start())];
        others.Should().OnlyContain(other => other.Wait().StandardOutput.Text == "fast\n");
        child.IsRunning.Should().BeTrue();
        StreamingSupport.BytesWritten(child.ProcessId)
            .Should().BeLessThan(MostOnTheWay, "the child is still held up");

        int next = 1;
        StreamingSupport.ReadAll(child, line => next += line.Content == next.ToString() ? 1 : -Count);
        next.Should().Be(Count + 1);
        child.Wait().EnsureSuccess().StandardOutput.TotalBytes.Should().BeGreaterThan(written);
    });

    [Theory]
    [InlineData(20_000)]
    [InlineData(1_048_576)]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void LongLines_ThatNobodyReads_HoldTheirChildUpByTheirCharacters(int length) => Guard.Run(() =>
    {
        // One line may wait in addition to the lines in the channel, and behind it the bytes in the buffers and the
        // pipe.
        const int MostCharacters = 131_072;
        const int BuffersAndPipe = 2_000_000;
        ProcessCommand command = new ProcessCommand("cat", "/dev/zero") with
        {
            StandardOutput = OutputTarget.Live(new LineOptions { MaxLength = length }),
        };
        using ChildProcess child = command.Start();
        StreamingSupport.WrittenOnceBlocked(child.ProcessId)
            .Should().BeLessThan(MostCharacters + (2 * length) + BuffersAndPipe);
        Eventually.Is(
            () => child.Lines.Count == Math.Max(1, MostCharacters / length), "as many wait as there is room for");
        long written = child.Stop().StandardOutput.TotalBytes;
        child.ReadLines().Sum(line => line.Content.Length).Should().Be((int)written, "nothing is lost");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Reader_ThatStopsNowAndThen_LosesNothing() => Guard.Run(() =>
    {
        const int Count = 200_000;
        using ChildProcess child = Live("seq", "1", $"{Count}").Start();
        int next = 1;
        StreamingSupport.ReadAll(child, line =>
        {
            line.Content.Should().Be(next.ToString());
            if (next++ is 1 or 300 or 100_000)
            {
                StreamingSupport.WrittenOnceBlocked(child.ProcessId);
            }
        });
        next.Should().Be(Count + 1);
        child.Wait().EnsureSuccess();
    });

    [Fact]
    public void Enumeration_LeftEarly_StopsTheChild() => Guard.Run(() =>
    {
        using ChildProcess child = Live("yes").Start();
        ReadAsync().GetAwaiter().GetResult();
        ProcessResult result = child.Wait();
        result.Outcome.Should().Be(ProcessOutcome.Canceled);
        result.StoppedBy.Should().Be(StopCause.Request);

        async Task ReadAsync()
        {
            int count = 0;
            await foreach (OutputLine line in child.ReadLinesAsync())
            {
                line.Content.Should().Be("y");
                if (++count == 10)
                {
                    break;
                }
            }
        }
    });

    [Fact]
    public void Enumeration_LeftByAnException_StopsTheChild() => Guard.Run(() =>
    {
        using ChildProcess child = Live("yes").Start();
        Func<Task> read = async () =>
        {
            await foreach (OutputLine line in child.ReadLinesAsync())
            {
                throw new InvalidTimeZoneException(line.Content);
            }
        };
        StreamingSupport.Thrown(() => read().GetAwaiter().GetResult()).Should().BeOfType<InvalidTimeZoneException>();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Enumeration_LeftEarlyWithKeepRunning_LetsTheChildEndByItself() => Guard.Run(() =>
    {
        using ChildProcess child = Live("seq", "1", "1000000", "return", "7").Start();
        ReadAsync().GetAwaiter().GetResult();
        ProcessResult result = child.Wait();
        result.Outcome.Should().Be(ProcessOutcome.Exited);
        result.ExitCode.Should().Be(7);
        result.StandardOutput.TotalBytes.Should().Be(6_888_896);

        async Task ReadAsync()
        {
            await foreach (OutputLine line in child.ReadLinesAsync(keepRunning: true))
            {
                line.Content.Should().Be("1");
                break;
            }
        }
    });

    [Fact]
    public void Enumeration_Canceled_ThrowsAndStopsTheChild() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        using ChildProcess child = Live("echo", "one", "sleep", "1000000").Start();
        Func<Task> read = async () =>
        {
            await foreach (OutputLine line in child.ReadLinesAsync(cancellationToken: source.Token))
            {
                line.Content.Should().Be("one");
                source.Cancel();
            }
        };
        StreamingSupport.Thrown(() => read().GetAwaiter().GetResult())
            .Should().BeAssignableTo<OperationCanceledException>()
            .Which.CancellationToken.Should().Be(source.Token);
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
    });

    [Fact]
    public void Enumeration_CanceledWithKeepRunning_LeavesTheChildAlone() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        ProcessCommand command = Live("echo", "one", "stdin-err", "return", "4") with
        {
            StandardInput = InputSource.Pipe,
        };
        using ChildProcess child = command.Start();
        Func<Task> read = async () =>
        {
            await foreach (OutputLine line in child.ReadLinesAsync(keepRunning: true, source.Token))
            {
                source.Cancel();
            }
        };
        StreamingSupport.Thrown(() => read().GetAwaiter().GetResult())
            .Should().BeAssignableTo<OperationCanceledException>();
        child.IsRunning.Should().BeTrue();
        child.StandardInput.Dispose();
        child.Wait().ExitCode.Should().Be(4);
    });

    [Fact]
    public void WaitForTheOwnChild_InsideTheLoopAtItsLastLine_Works() => Guard.Run(() =>
    {
        ReadAsync().GetAwaiter().GetResult();

        async Task ReadAsync()
        {
            using ChildProcess child = Live("seq", "1", "100", "echo", "last").Start();
            ProcessResult? result = null;
            await foreach (OutputLine line in child.ReadLinesAsync())
            {
                if (line.Content == "last")
                {
                    result = child.Wait();
                }
            }

            result!.EnsureSuccess();
        }
    });

    [Fact]
    public void MaxLength_OfALongerLine_YieldsFlaggedPieces() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("print", "1234567890\nab\n12345\n") with
        {
            StandardOutput = OutputTarget.Live(new LineOptions { MaxLength = 5 }),
        };
        using ChildProcess child = command.Start();
        StreamingSupport.ReadAll(child).Select(line => (line.Content, line.IsPartial))
            .Should().Equal(("12345", true), ("67890", false), ("ab", false), ("12345", false));
    });

    [Fact]
    public void SplitAtCarriageReturn_OfAProgressBar_YieldsEachStep() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick(
            "print", "10%\r", "sleep", "100", "print", "\n20%\r100%\r\nend") with
        {
            StandardOutput = OutputTarget.Live(new LineOptions { SplitAtCarriageReturn = true }),
        };
        using ChildProcess child = command.Start();
        StreamingSupport.ReadAll(child).Select(line => line.Content).Should().Equal("10%", "20%", "100%", "end");
    });

    [Fact]
    public void Timeout_OfAChildThatNobodyReads_EndsTheRun() => Guard.Run(() =>
    {
        ProcessCommand command = Live("seq", "1", "99999999") with { Timeout = TimeSpan.FromSeconds(0.5) };
        using ChildProcess child = command.Start();
        child.Wait().Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Fact]
    public void Lines_ReadAfterTheEnd_AreStillThere() => Guard.Run(() =>
    {
        using ChildProcess child = Live("seq", "1", "200").Start();
        child.Wait().EnsureSuccess();
        StreamingSupport.AreSame(
            StreamingSupport.ReadAll(child).Select(line => line.Content), StreamingSupport.Numbers(1, 200))
            .Should().BeTrue();
    });

    [Fact]
    public void Lines_OfACommandWithoutLiveStreams_AreRefused() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick().Start();
        Action lines = () => _ = child.Lines;
        lines.Should().Throw<InvalidOperationException>();
        Action read =
            () => child.ReadLinesAsync().GetAsyncEnumerator().MoveNextAsync().AsTask().GetAwaiter().GetResult();
        read.Should().Throw<InvalidOperationException>();
    });

    [Fact]
    public void LiveChildren_Hundreds_AllReadByOneThreadInTurn() => Guard.Run(() =>
    {
        ChildProcess[] children = [.. Enumerable.Range(0, 100).Select(_ => Live("seq", "1", "2000").Start())];
        foreach (ChildProcess child in children)
        {
            StreamingSupport.AreSame(
                StreamingSupport.ReadAll(child).Select(line => line.Content),
                StreamingSupport.Numbers(1, 2000)).Should().BeTrue();
            child.Wait().EnsureSuccess();
        }
    });

    private static ProcessCommand Live(params string[] words) =>
        TestPrograms.Quick(words) with { StandardOutput = OutputTarget.Live() };
}
