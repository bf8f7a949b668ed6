using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>Verifies that a batch needs no thread of the pool and does no harm to a pool that it runs on.</summary>
public sealed class BatchTests
{
    private static readonly int s_children = Crowd.Of(1_000);

    // Work items of the test runner; see Article3ParkedPoolTests.
    private const int FewWorkItems = 10;

    private static readonly Payload s_payload = Payload.Of(16 * 1024);

    [Fact]
    public void A_thousand_children_finish_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        long before = ThreadPool.CompletedWorkItemCount;

        List<string?> faults = [.. ProcessBatch.Enumerate(
            Enumerable.Range(0, s_children).Select(_ => s_payload.Command()),
            new BatchOptions { MaxConcurrency = 16, Progress = new Nobody() })
            .Select(result => s_payload.Fault(result.EnsureSuccess()))];

        (ThreadPool.CompletedWorkItemCount - before).Should().BeLessThan(FewWorkItems);
        pool.IsParked.Should().BeTrue();
        faults.Should().HaveCount(s_children).And.OnlyContain(fault => fault == null);
    });

    [Fact]
    public void Stops_timeouts_retries_and_early_ends_work_while_every_worker_is_parked() => Guard.Run(() =>
    {
        ProcessCommand sleep = TestPrograms.Quick("sleep", "100000");
        using ParkedPool pool = new();
        BatchResults retried = ProcessBatch.Enumerate(
            [TestPrograms.Quick("return", "1")],
            new BatchOptions { Retry = new BatchRetry { Count = 2, Delay = TimeSpan.FromMilliseconds(10) } });
        BatchResults left =
            ProcessBatch.Enumerate([TestPrograms.Quick(), sleep], new BatchOptions { MaxConcurrency = 2 });
        using CancellationTokenSource source = new();
        BatchResults canceled = ProcessBatch.Enumerate(
            [TestPrograms.Quick(), sleep], new BatchOptions { MaxConcurrency = 2 }, source.Token);

        LongerLimits.Until(limit =>
        {
            BatchResults timedOut = ProcessBatch.Enumerate(
                Enumerable.Repeat(sleep, 100), new BatchOptions { MaxConcurrency = 8, Timeout = limit });
            timedOut.Select(result => result.Result!.Outcome)
                .Should().Equal(Enumerable.Repeat(ProcessOutcome.TimedOut, 8));
            timedOut.StoppedBy.Should().Be(StopCause.BatchTimeout);
        });
        retried.Single().EarlierAttempts.Should().HaveCount(2);
        left.First().IsSuccess.Should().BeTrue();
        FluentActions.Invoking(() =>
        {
            foreach (BatchResult _ in canceled)
            {
                source.Cancel();
            }
        }).Should().ThrowExactly<OperationCanceledException>();

        (left.StoppedBy, canceled.StoppedBy).Should().Be((StopCause.Dispose, StopCause.CancellationToken));
        pool.IsParked.Should().BeTrue();
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Batches_in_the_body_of_a_parallel_loop_all_finish(bool blocksOnTasks) => Guard.Run(() =>
    {
        int count = 0;
        Parallel.For(0, 32, _ =>
        {
            IEnumerable<ProcessCommand> commands = Enumerable.Repeat(s_payload.Command(), 10);
            foreach (BatchResult result in Results(commands, new BatchOptions { MaxConcurrency = 4 }, blocksOnTasks))
            {
                Interlocked.Add(ref count, s_payload.Fault(result.EnsureSuccess()) is null ? 1 : 0);
            }
        });
        count.Should().Be(320);
    });

    // The pool cannot grow, and the nested loops outnumber its threads.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nested_batches_finish_in_a_pinned_pool(bool blocksOnTasks) => Guard.Run(() =>
    {
        int count = 0;
        using (PoolSettings.Pinned())
        using (TaskBlocking.KeepQueuedWork())
        {
            Parallel.For(0, 8, _ => Parallel.For(0, 4, _ =>
            {
                IEnumerable<ProcessCommand> commands = Enumerable.Repeat(TestPrograms.Quick(), 3);
                foreach (BatchResult result in Results(commands, new BatchOptions(), blocksOnTasks))
                {
                    IEnumerable<BatchResult> inner =
                        Results([result.Command, result.Command], new BatchOptions(), blocksOnTasks);
                    Interlocked.Add(ref count, inner.Count(one => one.IsSuccess));
                }
            }));
        }

        count.Should().Be(8 * 4 * 3 * 2);
    });

    [Fact]
    public void Many_asynchronous_batches_share_a_pinned_pool() => Guard.Run(() =>
    {
        int count = 0;
        using (PoolSettings.Pinned())
        {
            Task.WhenAll(Enumerable.Range(0, 20).Select(async _ =>
            {
                await foreach (BatchResult result in
                    ProcessBatch.EnumerateAsync(Enumerable.Repeat(TestPrograms.Quick(), 10)))
                {
                    Interlocked.Add(ref count, result.IsSuccess ? 1 : 0);
                }
            })).Wait();
        }

        count.Should().Be(200);
    });

    private static IEnumerable<BatchResult> Results(
        IEnumerable<ProcessCommand> commands, BatchOptions options, bool blocksOnTasks) =>
        blocksOnTasks
            ? BlockOnTasks(ProcessBatch.EnumerateAsync(commands, options))
            : ProcessBatch.Enumerate(commands, options);

    private static IEnumerable<BatchResult> BlockOnTasks(AsyncBatchResults batch)
    {
        IAsyncEnumerator<BatchResult> results = batch.GetAsyncEnumerator();
        while (results.MoveNextAsync().AsTask().Block())
        {
            yield return results.Current;
        }

        results.DisposeAsync().AsTask().Block();
    }

    private sealed class Nobody : IProgress<BatchProgress>
    {
        public void Report(BatchProgress value)
        {
        }
    }
}
