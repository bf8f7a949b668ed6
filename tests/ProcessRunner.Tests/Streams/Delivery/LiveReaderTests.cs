using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies readers of live lines that wait, give up or leave: each line reaches exactly one reader.</summary>
public sealed class LiveReaderTests
{
    private static readonly ProcessCommand s_silent = TestPrograms.Quick("sleep", "1000000") with
    {
        StandardOutput = OutputTarget.Live(),
    };

    [Fact]
    public void ReadAsync_CanceledAgainAndAgainWhileLinesCome_LosesNone() => Guard.Run(() =>
    {
        const int Count = 5_000;
        using ChildProcess child = Numbers(Count).Start();
        CancellationTokenSource source = new();
        bool isOver = false;
        Thread canceller = new(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                Volatile.Read(ref source).Cancel();
            }
        });
        canceller.Start();
        List<string> lines = [];
        while (lines.Count < Count)
        {
            CancellationTokenSource fresh = new();
            Volatile.Write(ref source, fresh);
            Task<OutputLine> read = child.Lines.ReadAsync(fresh.Token).AsTask();
            Task.WaitAny(read);
            if (read.IsCompletedSuccessfully)
            {
                lines.Add(read.Result.Content);
            }
        }

        Volatile.Write(ref isOver, true);
        canceller.Join();
        StreamingSupport.AreSame(lines, StreamingSupport.Numbers(1, Count)).Should().BeTrue();
        child.Wait().EnsureSuccess();
    });

    [Fact]
    public void Readers_ThatWaitTogether_GetEachLineOnceAndAllSeeTheEnd() => Guard.Run(() =>
    {
        const int Count = 20_000;
        using ChildProcess child = Numbers(Count).Start();
        List<string>[] lines = [.. Enumerable.Range(0, 4).Select(_ => new List<string>())];
        Thread[] readers = [.. lines.Select(mine => new Thread(() =>
        {
            while (StreamingSupport.Thrown(() => mine.Add(Read(child))) is null)
            {
            }
        }))];
        Array.ForEach(readers, reader => reader.Start());
        Array.ForEach(readers, reader => reader.Join());
        lines.SelectMany(mine => mine).Select(int.Parse).Order().Should().Equal(Enumerable.Range(1, Count));
        StreamingSupport.Thrown(() => Read(child)).Should().BeOfType<ChannelClosedException>();
        child.Wait().EnsureSuccess();
    });

    [Fact]
    public void WaitToReadAsync_OfSeveral_TellsAllOfOneLine() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("stdin-line", "echo", "one", "stdin-line") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using CancellationTokenSource source = new();
        using ChildProcess child = command.Start();
        Task<bool>[] waits =
            [child.Lines.WaitToReadAsync().AsTask(), child.Lines.WaitToReadAsync(source.Token).AsTask()];
        child.StandardInput.Write("go\n"u8);
        Task.WhenAll(waits).GetAwaiter().GetResult().Should().Equal(true, true);
        child.Lines.Count.Should().Be(1);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Enumeration_WithATokenFromEitherSide_IsCanceledByBoth(int canceled) => Guard.Run(() =>
    {
        CancellationTokenSource[] sources = [new(), new()];
        using ChildProcess child = s_silent.Start();
        IAsyncEnumerator<OutputLine> lines =
            child.ReadLinesAsync(keepRunning: true, sources[0].Token).GetAsyncEnumerator(sources[1].Token);
        Task<bool> next = lines.MoveNextAsync().AsTask();
        sources[canceled].Cancel();
        StreamingSupport.Thrown(() => next.GetAwaiter().GetResult())
            .Should().BeAssignableTo<OperationCanceledException>();
        next.IsCanceled.Should().BeTrue();
        lines.MoveNextAsync().AsTask().GetAwaiter().GetResult().Should().BeFalse();
        lines.DisposeAsync().AsTask().GetAwaiter().GetResult();
        child.IsRunning.Should().BeTrue();
    });

    [Fact]
    public void Enumeration_CanceledWhileItWaits_HasStoppedTheChildWhenItTells() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        using ChildProcess child = s_silent.Start();
        Task<bool> next = child.ReadLinesAsync().GetAsyncEnumerator(source.Token).MoveNextAsync().AsTask();
        source.Cancel();
        StreamingSupport.Thrown(() => next.GetAwaiter().GetResult())
            .Should().BeAssignableTo<OperationCanceledException>();
        child.Wait().StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void Enumeration_LeftWhileAStepWaits_EndsThatStepAndStopsTheChild() => Guard.Run(() =>
    {
        using ChildProcess child = s_silent.Start();
        IAsyncEnumerator<OutputLine> lines = child.ReadLinesAsync().GetAsyncEnumerator();
        Task<bool> next = lines.MoveNextAsync().AsTask();
        next.IsCompleted.Should().BeFalse();
        lines.DisposeAsync().AsTask().GetAwaiter().GetResult();
        next.GetAwaiter().GetResult().Should().BeFalse();
        child.Wait().StoppedBy.Should().Be(StopCause.Request);
    });

    private static string Read(ChildProcess child) => child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult().Content;

    private static ProcessCommand Numbers(int count) =>
        TestPrograms.Quick("seq", "1", $"{count}") with { StandardOutput = OutputTarget.Live() };
}
