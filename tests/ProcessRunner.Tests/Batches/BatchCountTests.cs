using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies that every command that was read from the input is in one of the counts, at every moment and after every
/// ending.
/// </summary>
public sealed class BatchCountTests
{
    [Theory]
    [InlineData(BatchOrder.AsGiven)]
    [InlineData(BatchOrder.LongestFirst)]
    public void Counts_AddUpAtEveryMoment(BatchOrder order) => Guard.Run(() =>
    {
        Reports reports = new();
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Range(0, 150).Select(
                n => n % 3 == 2 ? new ProcessCommand("/no/such") : TestPrograms.Quick("return", $"{n % 3}")),
            new BatchOptions
            {
                MaxConcurrency = 4,
                Order = order,
                Retry = new BatchRetry { Count = 1 },
                Progress = reports,
                ProgressInterval = TimeSpan.FromMilliseconds(1),
            });
        foreach (BatchResult _ in batch)
        {
            reports.Report(batch.Progress);
        }

        reports.All.Should().OnlyContain(progress => progress.Read == Sum(progress));
        BatchProgress last = batch.Progress;
        (last.Read, last.Queued, last.Running, last.Passed, last.Failed, last.NotStarted)
            .Should().Be((150, 0, 0, 50, 100, 0));
    });

    [Fact]
    public void Stop_WhileTheInputIsReadToBeSorted_EndsItAndCountsWhatWasRead() => Guard.Run(() =>
    {
        const int Many = 100_000;
        const int ReadAtStop = 200;
        BatchResults? batch = null;
        int read = 0;
        bool isAtEnd = false;
        IEnumerable<ProcessCommand> Input()
        {
            try
            {
                while (read < Many)
                {
                    if (++read == ReadAtStop)
                    {
                        batch!.Progress.Queued.Should().Be(ReadAtStop - 1);
                        batch.RequestStop();
                    }

                    yield return TestPrograms.Quick();
                }
            }
            finally
            {
                isAtEnd = true;
            }
        }

        batch = ProcessBatch.Enumerate(Input(), new BatchOptions { Order = BatchOrder.LongestFirst });
        batch.Should().BeEmpty();
        isAtEnd.Should().BeTrue("the input's code ends first");
        read.Should().Be(ReadAtStop);
        (batch.Progress.Read, batch.Progress.NotStarted, batch.Progress.Queued).Should().Be((read, read, 0));
    });

    [Theory]
    [InlineData(StopCause.Request, BatchOrder.AsGiven)]
    [InlineData(StopCause.Request, BatchOrder.LongestFirst)]
    [InlineData(StopCause.Dispose, BatchOrder.AsGiven)]
    [InlineData(StopCause.Dispose, BatchOrder.LongestFirst)]
    [InlineData(StopCause.CancellationToken, BatchOrder.AsGiven)]
    [InlineData(StopCause.BatchFailure, BatchOrder.AsGiven)]
    public void CommandsThatAStopMeets_AreInTheResultsOrNotStarted(StopCause cause, BatchOrder order) => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        int read = 0;
        IEnumerable<ProcessCommand> input = Enumerable.Range(0, Crowd.Of(2_000)).Select(_ =>
        {
            read++;
            return TestPrograms.Quick("return", cause == StopCause.BatchFailure ? "1" : "0");
        });
        BatchResults batch = ProcessBatch.Enumerate(
            input,
            new BatchOptions { MaxConcurrency = 4, Order = order, OnFirstFailure = BatchFailureAction.StopStarting },
            source.Token);
        int results = 0;
        try
        {
            foreach (BatchResult _ in batch)
            {
                results++;
                Eventually.Is(() => batch.StoppedBy != StopCause.None || batch.Progress.Queued >= 100, "many wait");
                if (cause == StopCause.Dispose)
                {
                    break;
                }

                if (cause == StopCause.Request)
                {
                    batch.RequestStop();
                }
                else if (cause == StopCause.CancellationToken)
                {
                    source.Cancel();
                }
            }
        }
        catch (OperationCanceledException)
        {
        }

        BatchProgress end = batch.Progress;
        batch.StoppedBy.Should().Be(cause);
        (end.Read, end.Queued, end.Running, end.IsInputRead).Should().Be((read, 0, 0, true));
        end.NotStarted.Should().Be(read - (end.Passed + end.Failed));
        (cause == StopCause.BatchFailure || end.NotStarted > 0).Should().BeTrue("many waited");
        if (cause != StopCause.Dispose)
        {
            results.Should().Be((int)(end.Passed + end.Failed));
        }
    });

    [Fact]
    public void RetryThatAStopPrevents_IsNoRetry() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate(
            [TestPrograms.Quick(), TestPrograms.Quick("return", "1")],
            new BatchOptions { Retry = new BatchRetry { Count = 1, Delay = TimeSpan.FromHours(1) } });
        foreach (BatchResult result in batch)
        {
            if (result.IsSuccess)
            {
                Eventually.Is(() => batch.Progress is { Retried: 1, Queued: 1 }, "one waits for its next attempt");
                batch.RequestStop();
            }
        }

        BatchProgress end = batch.Progress;
        (end.Read, end.Passed, end.Failed, end.NotStarted, end.Retried).Should().Be((2, 1, 1, 0, 0));
    });

    // MaxWaiting bounds how far the input is read while the waiting commands may not start.
    [Fact]
    public void CommandsThatWait_AreNoMoreThanTheirLimit() => Guard.Run(() =>
    {
        Reports reports = new();
        BatchItem ofTheGroup = new(TestPrograms.Quick()) { Group = "db" };
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Repeat(ofTheGroup, 100),
            new BatchOptions
            {
                MaxConcurrency = 8,
                MaxWaiting = 10,
                GroupLimits = new Dictionary<string, int> { ["db"] = 1 },
            });
        foreach (BatchResult _ in batch)
        {
            reports.Report(batch.Progress);
        }

        reports.All.Should().HaveCount(100).And.OnlyContain(progress => progress.Queued <= 10);
    });

    private static long Sum(BatchProgress progress) =>
        progress.Queued + progress.Running + progress.Passed + progress.Failed + progress.NotStarted;

    private sealed class Reports : IProgress<BatchProgress>
    {
        private readonly Lock _gate = new();
        private readonly List<BatchProgress> _all = [];

        public IReadOnlyList<BatchProgress> All
        {
            get
            {
                lock (_gate)
                {
                    return [.. _all];
                }
            }
        }

        public void Report(BatchProgress value)
        {
            lock (_gate)
            {
                _all.Add(value);
            }
        }
    }
}
