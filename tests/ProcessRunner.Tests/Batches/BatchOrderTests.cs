using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies the order of starts and of results, and repetitions.</summary>
public sealed class BatchOrderTests
{
    private static readonly ProcessCommand s_true = TestPrograms.Quick();

    [Fact]
    public void AsGiven_StartsInTheOrderOfTheInput() => Guard.Run(() =>
        ProcessBatch.Enumerate(Enumerable.Repeat(s_true, 30), new BatchOptions { MaxConcurrency = 1 })
            .Select(result => result.Index).Should().BeInAscendingOrder());

    [Fact]
    public void LongestFirst_StartsByTheHint_AndEqualOnesAsGiven() => Guard.Run(() =>
    {
        int[] hints = [0, 3, 1, 3, 0, 7];
        ProcessBatch.Enumerate(
            hints.Select(hint => new BatchItem(s_true) { ExpectedRunTime = TimeSpan.FromSeconds(hint), Tag = hint }),
            new BatchOptions { MaxConcurrency = 1, Order = BatchOrder.LongestFirst })
            .Select(result => (result.Tag, result.Index))
            .Should().Equal((7, 0), (3, 1), (3, 2), (1, 3), (0, 4), (0, 5));
    });

    // The second command lets the first command end.
    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Results_ComeInTheOrderOfTheEnds() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("fifo");
        List<BatchResult> results = [];
        foreach (BatchResult result in ProcessBatch.Enumerate(
            [TestPrograms.Shell("read word <\"$1\"", fifo), s_true, s_true], new BatchOptions { MaxConcurrency = 2 }))
        {
            results.Add(result);
            if (results.Count == 2)
            {
                TestPrograms.Shell("echo word >\"$1\"", fifo).Run().EnsureSuccess();
            }
        }

        results.Select(result => result.Index).Should().Equal(1, 2, 0);
    });

    [Theory]
    [InlineData(BatchOrder.AsGiven)]
    [InlineData(BatchOrder.LongestFirst)]
    public void RepeatCount_RunsTheWholeInputSoOften(BatchOrder order) => Guard.Run(() =>
    {
        int enumerations = 0;
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            Three(() => enumerations++), new BatchOptions { RepeatCount = 4, MaxConcurrency = 1, Order = order })];
        enumerations.Should().Be(4);
        results.Select(result => (result.Repetition, result.Index)).Should().Equal(
            Enumerable.Range(0, 4).SelectMany(
                repetition => Enumerable.Range(0, 3).Select(index => (repetition, (long)index))));
    });

    // The input is short: nothing begins after the time, and little has begun by then.
    [Fact]
    public void RepeatFor_BeginsNoRepetitionLater() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            [TestPrograms.Quick("sleep", $"{(int)limit.TotalMilliseconds / 5}")],
            new BatchOptions { RepeatFor = limit, MaxConcurrency = 1 }).Take(40)];
        results.Count.Should().BeInRange(2, 10);
        results.Select(result => result.Repetition).Should().Equal(Enumerable.Range(0, results.Count));
    }));

    [Fact]
    public void RepeatFor_OfNoTime_IsRepeatCount() => Guard.Run(() =>
    {
        BatchOptions options = new() { RepeatCount = 3, RepeatFor = TimeSpan.FromTicks(1) };
        ProcessBatch.Enumerate([s_true], options).Count()
            .Should().Be(3);
        ProcessBatch.Enumerate([s_true], new BatchOptions { RepeatFor = TimeSpan.Zero }).Count().Should().Be(1);
    });

    [Fact]
    public void Timeout_StopsWhatRuns_AndSaysSo() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        BatchResults batch = ProcessBatch.Enumerate(
            [TestPrograms.Quick("sleep", "1000000"), s_true, s_true],
            new BatchOptions { MaxConcurrency = 1, Timeout = limit });
        BatchResult result = batch.Single();
        (result.Result!.Outcome, result.Result.StoppedBy)
            .Should().Be((ProcessOutcome.TimedOut, StopCause.BatchTimeout));
        batch.StoppedBy.Should().Be(StopCause.BatchTimeout);
    }));

    // The amount exceeds the memory of any machine: the first command is always admitted.
    [Fact]
    [OnlyOn(Systems.Linux, "date(1) of GNU tells nanoseconds")]
    public void MinAvailableMemory_BeyondAllThereIs_RunsOneAtATime() => Guard.Run(() => SteadyClock.During(() =>
    {
        ProcessCommand recorder = TestPrograms.Shell("b=$(date +%s%N); sleep 0.01; echo $b $(date +%s%N)");
        BatchOptions options = new()
        {
            MaxConcurrency = 8,
            MinAvailableMemory = long.MaxValue,
            Timeout = TimeSpan.FromSeconds(60),
        };
        List<BatchResult> results = [.. ProcessBatch.Enumerate(Enumerable.Repeat(recorder, 12), options)];
        results.Should().HaveCount(12).And.OnlyContain(result => result.IsSuccess);
        Occupancy.Highest(
            results.Select(result => Occupancy.LifeOf(result.Result!)).Select(life => (life.Begin, life.End, 1)))
            .Should().Be(1);
    }));

    private static IEnumerable<ProcessCommand> Three(Action begin)
    {
        begin();
        yield return s_true;
        yield return s_true;
        yield return s_true;
    }
}
