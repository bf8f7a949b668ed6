using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies stops before the request for the first result, and misused enumerations.</summary>
[Collection(Alone.Name)]
public sealed class BatchStopEarlyTests
{
    private static readonly BatchItem s_sleeper = new(TestPrograms.Quick("sleep", "1000000"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void CanceledToken_BeforeTheBegin_StartsNothingAndDoesNotTouchTheInput(bool isAsync) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        using CancellationTokenSource source = new();
        source.Cancel();
        int reads = 0;
        BatchOptions options = new() { Engine = engine };
        BatchRun batch = isAsync
            ? ProcessBatch.EnumerateAsync(Counted(() => reads++), options, source.Token)
            : ProcessBatch.Enumerate(Counted(() => reads++), options, source.Token);
        Action enumerate = () => Enumerate(batch);
        enumerate.Should().ThrowExactly<OperationCanceledException>()
            .Which.CancellationToken.Equals(source.Token).Should().BeTrue();
        engine.Dispose();
        (batch.StoppedBy, engine.StartedChildren).Should().Be((StopCause.CancellationToken, 0));
        reads.Should().Be(0);
    });

    // A traced start, and one that opens files, waits for a thread of its own.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stop_WhileACommandWaitsForItsStart_DoesNotStartIt(bool isOfStartsAlone) => Guard.Run(() =>
    {
        using ManualResetEventSlim isTraced = new();
        using ManualResetEventSlim letGo = new();
        using ProcessEngine engine = new(new ProcessEngineOptions
        {
            Trace = _ =>
            {
                isTraced.Set();
                letGo.Wait();
            },
        });
        BatchResults batch = ProcessBatch.Enumerate([s_sleeper], new BatchOptions { Engine = engine });
        Thread stopper = new(() =>
        {
            isTraced.Wait();
            if (isOfStartsAlone)
            {
                batch.StopStarting();
            }
            else
            {
                batch.RequestStop();
            }

            letGo.Set();
        });
        stopper.Start();
        Enumerate(batch).Should().BeEmpty();
        stopper.Join();
        (batch.Progress.NotStarted, batch.Progress.Read, engine.StartedChildren).Should().Be((1, 1, 0));
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stop_BeforeTheBegin_EndsTheEnumerationAtOnce_EvenIfTheInputBlocks(bool isAsync)
    {
        using ManualResetEventSlim letGo = new();
        Guard.Run(() =>
        {
            using ProcessEngine engine = new();
            IEnumerable<BatchItem> input = Counted(letGo.Wait);
            BatchOptions options = new() { Engine = engine };
            BatchRun batch = isAsync
                ? ProcessBatch.EnumerateAsync(input, options)
                : ProcessBatch.Enumerate(input, options);
            batch.RequestStop();
            Enumerate(batch).Should().BeEmpty();
            (batch.StoppedBy, engine.StartedChildren).Should().Be((StopCause.Request, 0));
        });
        letGo.Set();
    }

    [Fact]
    public void Timeout_OfZero_EndsTheBatchWithoutAnException() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Repeat(s_sleeper, int.MaxValue),
            new BatchOptions { Timeout = TimeSpan.Zero, MaxConcurrency = 2 });
        batch.ToList().TrueForAll(result => result.Result!.Outcome == ProcessOutcome.TimedOut).Should().BeTrue();
        batch.StoppedBy.Should().Be(StopCause.BatchTimeout);
    });

    // A loop disposes its enumerator even without a request for the first result, for example in Zip or after an
    // exception.
    [Fact]
    public void Enumerator_ThatIsDisposedBeforeItsFirstMove_HasBegunNothing() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        BatchResults batch = ProcessBatch.Enumerate([s_sleeper], new BatchOptions { Engine = engine });
        IEnumerator<BatchResult> enumerator = batch.GetEnumerator();
        enumerator.Dispose();
        engine.StartedChildren.Should().Be(0);
        engine.ThreadCount.Should().Be(0);
        batch.StoppedBy.Should().Be(StopCause.None);
    });

    [Fact]
    public void AsyncEnumerator_ThatIsDisposedBeforeItsFirstMove_HasBegunNothing() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        AsyncBatchResults batch = ProcessBatch.EnumerateAsync([s_sleeper], new BatchOptions { Engine = engine });
        IAsyncEnumerator<BatchResult> enumerator = batch.GetAsyncEnumerator();
        enumerator.DisposeAsync().AsTask().Wait();
        engine.StartedChildren.Should().Be(0);
        engine.ThreadCount.Should().Be(0);
        batch.StoppedBy.Should().Be(StopCause.None);
    });

    [Fact]
    public void StopStarting_LetsThoseThatRunComeToTheirEnd() => Guard.Run(() =>
    {
        IEnumerable<ProcessCommand> endless =
            Enumerable.Repeat(TestPrograms.Quick("echo", "done"), int.MaxValue);
        using ProcessEngine engine = new();
        BatchResults batch = ProcessBatch.Enumerate(endless, new BatchOptions { Engine = engine, MaxConcurrency = 4 });
        List<BatchResult> results = [];
        foreach (BatchResult result in batch)
        {
            results.Add(result);
            if (results.Count == 10)
            {
                batch.StopStarting();
            }
        }

        results.Should().OnlyContain(result => result.IsSuccess && result.Result!.StandardOutput.Text == "done\n");
        results.Should().HaveCount((int)engine.StartedChildren);
        batch.Progress.Passed.Should().Be(results.Count);

        // The ten results that were read, the most that may wait for a slow reader, and the running commands.
        results.Count.Should().BeInRange(10, 10 + 64 + 4);
        batch.StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void SecondEnumeration_Throws_AndLeavesTheFirstAlone() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate([TestPrograms.Quick(), TestPrograms.Quick()]);
        int count = 0;
        foreach (BatchResult result in batch)
        {
            count++;
            FluentActions.Invoking(batch.Count).Should().ThrowExactly<InvalidOperationException>();
        }

        count.Should().Be(2);
        FluentActions.Invoking(batch.Count).Should().ThrowExactly<InvalidOperationException>();
        AsyncBatchResults async = ProcessBatch.EnumerateAsync([TestPrograms.Quick()]);
        async.ToBlockingEnumerable().Should().ContainSingle();
        FluentActions.Invoking(() => async.ToBlockingEnumerable().Count())
            .Should().ThrowExactly<InvalidOperationException>();
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DisposedEngine_IsToldAtTheBegin(bool isAsync) => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        engine.Dispose();
        BatchOptions options = new() { Engine = engine };
        BatchRun batch = isAsync
            ? ProcessBatch.EnumerateAsync([s_sleeper], options)
            : ProcessBatch.Enumerate([s_sleeper], options);
        FluentActions.Invoking(() => Enumerate(batch)).Should().ThrowExactly<ObjectDisposedException>();
    });

    [Fact]
    public void BatchThatIsNeverEnumerated_StartsNothing() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        BatchResults batch = ProcessBatch.Enumerate([s_sleeper], new BatchOptions { Engine = engine });
        (engine.ThreadCount, engine.StartedChildren, batch.StoppedBy).Should().Be((0, 0L, StopCause.None));
        batch.Progress.Elapsed.Should().Be(TimeSpan.Zero);
    });

    private static List<BatchResult> Enumerate(BatchRun batch) =>
        batch is AsyncBatchResults async ? [.. async.ToBlockingEnumerable()] : [.. (BatchResults)batch];

    private static IEnumerable<BatchItem> Counted(Action read)
    {
        while (true)
        {
            read();
            yield return s_sleeper;
        }
    }
}
