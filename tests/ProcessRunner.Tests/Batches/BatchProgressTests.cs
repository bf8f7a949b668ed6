using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies the progress reports of a batch.</summary>
public sealed class BatchProgressTests
{
    [Fact]
    public void Reports_GrowSteadily_AreBounded_AndTheLastOneHasItAll() => Guard.Run(() =>
    {
        const int Children = 60;
        TimeSpan interval = TimeSpan.FromMilliseconds(20);
        Recorder recorder = new(_ => { });
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Range(0, Children)
                .Select(n => TestPrograms.Quick("echo", "12345", "return", n % 10 == 0 ? "1" : "0")),
            new BatchOptions { MaxConcurrency = 3, Progress = recorder, ProgressInterval = interval });
        batch.Count().Should().Be(Children);
        List<BatchProgress> reports = recorder.Reports;
        BatchProgress last = reports[^1];
        (last.Passed, last.Failed, last.Retried, last.Flaky, last.Running, last.Queued, last.IsInputRead, last.Bytes)
            .Should().Be((54, 6, 0, 0, 0, 0, true, 6 * Children));
        last.Longest.Should().BeEmpty();
        reports.Select(one => one.Passed + one.Failed).Should().BeInAscendingOrder();
        reports.Select(one => one.Bytes).Should().BeInAscendingOrder();
        reports.Select(one => one.Elapsed).Should().BeInAscendingOrder();
        reports.TrueForAll(one => one.Running <= 3 && one.Longest.Count == one.Running).Should().BeTrue();
        reports.Count.Should().BeLessThanOrEqualTo((int)(last.Elapsed / interval) + 2);
        recorder.Faults.Should().BeEmpty();
        batch.Progress.Elapsed.Should().Be(last.Elapsed, "the clock stops with the batch");
    });

    // A slow report is neither overtaken by the last report nor concurrent with it.
    [Fact]
    public void SlowReport_IsNeverAccompaniedByAnother_AndTheLastOneComesLast() => Guard.Run(() =>
    {
        for (int round = 0; round < 10; round++)
        {
            using ManualResetEventSlim isOver = new();
            BatchResults? batch = null;
            bool isFirst = true;
            Recorder recorder = new(_ =>
            {
                if (isFirst)
                {
                    isFirst = false;

                    // The batch ends while this report is under way.
                    Eventually.Is(() => batch!.Progress is { Passed: 3 }, "all have ended");
                    isOver.Wait(TimeSpan.FromMilliseconds(50));
                }
            });
            batch = ProcessBatch.Enumerate(
                Enumerable.Repeat(TestPrograms.Quick("sleep", "20"), 3),
                new BatchOptions
                {
                    MaxConcurrency = 1,
                    Progress = recorder,
                    ProgressInterval = TimeSpan.FromMilliseconds(1),
                });
            batch.Count().Should().Be(3);
            int count = recorder.Reports.Count;
            recorder.Faults.Should().BeEmpty();
            recorder.Reports[^1].Passed.Should().Be(3);
            recorder.Reports[^1].Running.Should().Be(0);
            recorder.Reports.Select(one => one.Passed).Should().BeInAscendingOrder();
            isOver.Set();
            recorder.Reports.Count.Should().Be(count, "none comes after the end");
        }
    });

    [Fact]
    public void ReportThatThrows_IsThrownAtTheEnd_AfterAllResults() => Guard.Run(() =>
    {
        int count = 0;
        Recorder recorder = new(_ => throw new NotFiniteNumberException());
        Action enumerate = () =>
        {
            foreach (BatchResult result in ProcessBatch.Enumerate(
                Enumerable.Repeat(TestPrograms.Quick(), 20), new BatchOptions { Progress = recorder }))
            {
                count += result.IsSuccess ? 1 : 0;
            }
        };
        enumerate.Should().ThrowExactly<NotFiniteNumberException>();
        count.Should().Be(20);
    });

    [Fact]
    public void Longest_NamesThoseThatHaveRunLongest() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Range(0, 8).Select(n => new BatchItem(
                n == 3 ? TestPrograms.Quick() : TestPrograms.Quick("sleep", "1000000"))
            {
                Tag = n,
            }),
            new BatchOptions { Engine = engine, MaxConcurrency = 8 });
        foreach (BatchResult result in batch)
        {
            result.Index.Should().Be(3);
            Eventually.Is(() => engine.LiveChildren == 7, "all others run");
            BatchProgress progress = batch.Progress;
            (progress.Running, progress.Queued, progress.Passed).Should().Be((7, 0L, 1L));
            progress.Longest.Select(one => one.Item.Tag).Should().Equal(0, 1, 2, 4, 5);
            progress.Longest.Select(one => one.Index).Should().Equal(0, 1, 2, 4, 5);
            progress.Longest.Select(one => one.RunTime).Should().BeInDescendingOrder();
            break;
        }
    });

    private sealed class Recorder(Action<BatchProgress> then) : IProgress<BatchProgress>
    {
        private readonly Lock _gate = new();
        private readonly List<BatchProgress> _reports = [];
        private readonly List<string> _faults = [];
        private int _inside;

        public List<BatchProgress> Reports
        {
            get
            {
                lock (_gate)
                {
                    return [.. _reports];
                }
            }
        }

        public List<string> Faults
        {
            get
            {
                lock (_gate)
                {
                    return [.. _faults];
                }
            }
        }

        public void Report(BatchProgress value)
        {
            string thread = Thread.CurrentThread.Name ?? "";
            lock (_gate)
            {
                _reports.Add(value);
                if (Interlocked.Increment(ref _inside) != 1)
                {
                    _faults.Add("two at once");
                }

                if (thread != "ProcessRunner delivery")
                {
                    _faults.Add($"on {thread}");
                }
            }

            try
            {
                then(value);
            }
            finally
            {
                Interlocked.Decrement(ref _inside);
            }
        }
    }
}
