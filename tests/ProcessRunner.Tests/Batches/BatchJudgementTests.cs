using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>User code that judges the attempts of a batch, and the retry of an item.</summary>
public sealed class BatchJudgementTests
{
    [Fact]
    public void AcceptsExitCode_AddsToTheExitCodes() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("return", "7") with { AcceptsExitCode = code => code < 8 };
        command.Run().EnsureSuccess().ExitCode.Should().Be(7);
        (TestPrograms.Quick("return", "9") with { AcceptsExitCode = code => code < 8 }).Run().IsSuccess
            .Should().BeFalse();
        (TestPrograms.Quick() with { AcceptsExitCode = code => code == 1 }).Run().IsSuccess
            .Should().BeTrue("0 is one of the exit codes");
        (TestPrograms.Quick() with { ExitCodes = [], AcceptsExitCode = code => code == 1 }).Run().IsSuccess
            .Should().BeFalse();
    });

    [Fact]
    public void AcceptsExitCode_InABatch_IsNeverCalledOnAReactor() => Guard.Run(() =>
    {
        List<string?> threads = [];
        ProcessCommand command = TestPrograms.Quick("return", "3") with { AcceptsExitCode = Accept };
        BatchOptions options = new() { MaxConcurrency = 8, Retry = new BatchRetry { Count = 1 } };
        BatchProgress? last = null;
        BatchResults batch = ProcessBatch.Enumerate(Enumerable.Repeat(command, 200), options);
        int count = 0;
        foreach (BatchResult result in batch)
        {
            result.EarlierAttempts.Should().BeEmpty();
            count++;
        }

        last = batch.Progress;
        (count, last.Passed, last.Failed, last.Retried).Should().Be((200, 200, 0, 0));
        threads.Should().HaveCount(200).And.OnlyContain(name => name == "ProcessRunner delivery");

        bool Accept(int code)
        {
            lock (threads)
            {
                threads.Add(Thread.CurrentThread.Name);
            }

            return code == 3;
        }
    });

    [Fact]
    public void When_DecidesAboutFurtherAttempts() => Guard.Run(() =>
    {
        BatchRetry retry = new() { Count = 2, When = result => result.ExitCode == 75 };
        BatchResult[] results = [.. ProcessBatch.Enumerate(
            [TestPrograms.Quick("return", "75"), TestPrograms.Quick("return", "1"), TestPrograms.Quick()],
            new BatchOptions { Retry = retry }).OrderBy(result => result.Index)];
        results.Select(result => result.EarlierAttempts.Count).Should().Equal(2, 0, 0);
        results.Select(result => result.IsSuccess).Should().Equal(false, false, true);
    });

    [Fact]
    public void JudgementThatThrows_IsTheExceptionOfTheResult() => Guard.Run(() =>
    {
        BatchRetry retry = new() { Count = 2, When = _ => throw new FormatException("when") };
        BatchResult result = ProcessBatch.Enumerate(
            [TestPrograms.Quick("return", "1")], new BatchOptions { Retry = retry }).Single();
        result.EarlierAttempts.Should().BeEmpty();
        result.Exception.Should().BeOfType<FormatException>();
        result.Result!.ExitCode.Should().Be(1);

        ProcessCommand broken =
            TestPrograms.Quick("return", "1") with { AcceptsExitCode = _ => throw new FormatException("code") };
        BatchResults batch = ProcessBatch.Enumerate(
            [broken, TestPrograms.Quick()],
            new BatchOptions { MaxConcurrency = 1, OnFirstFailure = BatchFailureAction.StopStarting });
        batch.First().IsSuccess.Should().BeFalse();
        batch.StoppedBy.Should().BeOneOf(StopCause.BatchFailure, StopCause.Dispose);
        broken.Run().Invoking(one => one.IsSuccess).Should().ThrowExactly<FormatException>();
    });

    // What it said about the attempt before does not count.
    [Fact]
    public void JudgementThatThrowsAboutALaterAttempt_AllowsNoOther() => Guard.Run(() =>
    {
        int calls = 0;
        BatchRetry retry = new() { Count = 5, When = _ => ++calls == 1 ? true : throw new FormatException("when") };
        BatchResult result = ProcessBatch.Enumerate(
            [TestPrograms.Quick("return", "1")], new BatchOptions { Retry = retry }).Single();
        (calls, result.EarlierAttempts.Count).Should().Be((2, 1));
        result.Exception.Should().BeOfType<FormatException>();
    });

    [Fact]
    public void JudgementThatBlocks_HoldsItsSlotAndNoOther() => Guard.Run(() =>
    {
        using ManualResetEventSlim others = new();
        ProcessCommand slow = TestPrograms.Quick("return", "1") with
        {
            AcceptsExitCode = _ =>
            {
                others.Wait();
                return true;
            },
        };
        BatchResults batch = ProcessBatch.Enumerate(
            [slow, .. Enumerable.Repeat(TestPrograms.Quick(), 50)], new BatchOptions { MaxConcurrency = 2 });
        int passed = 0;
        foreach (BatchResult result in batch)
        {
            passed += result.IsSuccess ? 1 : 0;
            if (passed == 50)
            {
                batch.Progress.Running.Should().Be(1);
                others.Set();
            }
        }

        passed.Should().Be(51);
    });

    [Fact]
    public void RetryOfAnItem_ReplacesThatOfTheBatch() => Guard.Run(() =>
    {
        BatchItem often = new(TestPrograms.Quick("return", "1")) { Retry = new BatchRetry { Count = 3 } };
        BatchItem never = new(TestPrograms.Quick("return", "1")) { Retry = new BatchRetry() };
        BatchItem asTheBatch = new(TestPrograms.Quick("return", "1"));
        ProcessBatch.Enumerate(
                [often, never, asTheBatch], new BatchOptions { Retry = new BatchRetry { Count = 1 } })
            .OrderBy(result => result.Index)
            .Select(result => result.EarlierAttempts.Count)
            .Should().Equal(3, 0, 1);
    });

    [Fact]
    public void ItemWithARetry_RefusesAnInputThatIsReadOnce() => Guard.Run(() =>
    {
        using System.IO.MemoryStream stream = new([1, 2, 3]);
        BatchItem item = new(TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromStream(stream) })
        {
            Retry = new BatchRetry { Count = 1 },
        };
        ProcessBatch.Enumerate([item]).Single().Exception.Should().BeOfType<InvalidOperationException>();
    });

    [Fact]
    public void StopOfOneItem_EndsItAloneWithoutARetry() => Guard.Run(() =>
    {
        BatchItem sleeper = new(TestPrograms.Quick("sleep", "1000000")) { Retry = new BatchRetry { Count = 5 } };
        BatchItem other = new(TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromText("text") });
        BatchResults batch = ProcessBatch.Enumerate([sleeper, other]);
        Dictionary<BatchItem, BatchResult> results = [];
        foreach (BatchResult result in batch)
        {
            results.Add(result.Item, result);
            if (result.Item == other)
            {
                Eventually.Is(
                    () => batch.RunningItems().Any(one => one.Item == sleeper && one.ProcessId > 0), "it runs");
                RunningItem running = batch.RunningItems().Single();
                running.RequestStop();
                running.RequestStop();
            }
        }

        results[other].IsSuccess.Should().BeTrue();
        results[sleeper].Result!.StoppedBy.Should().Be(StopCause.Request);
        results[sleeper].EarlierAttempts.Should().BeEmpty();
        batch.StoppedBy.Should().Be(StopCause.None);
        batch.RunningItems().Should().BeEmpty();
    });

    [Fact]
    public void Stop_OfABatch_WaitsUntilNothingRuns() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate(
            [TestPrograms.Quick(), .. Enumerable.Repeat(TestPrograms.Quick("sleep", "1000000"), 5)]);
        foreach (BatchResult result in batch)
        {
            if (result.IsSuccess)
            {
                batch.Stop();
                batch.Progress.Running.Should().Be(0);
            }
        }

        batch.StoppedBy.Should().Be(StopCause.Request);
        batch.StopAsync().IsCompleted.Should().BeTrue();
        BatchResults unread = ProcessBatch.Enumerate([TestPrograms.Quick()]);
        unread.Stop();
        unread.Should().BeEmpty("the batch was stopped before it began");
    });

    [Fact]
    public void TypedItems_GiveTypedResults() => Guard.Run(() =>
    {
        BatchItem<int>[] items =
            [.. Enumerable.Range(0, 5).Select(i => new BatchItem<int>(TestPrograms.Quick("return", $"{i}"), i))];
        foreach (BatchResult<int> result in ProcessBatch.Enumerate(items))
        {
            result.Result!.ExitCode.Should().Be(result.Tag);
            ((BatchResult)result).Tag.Should().Be(result.Tag);
        }

        int sum = 0;
        IAsyncEnumerator<BatchResult<int>> results = ProcessBatch.EnumerateAsync(items).GetAsyncEnumerator();
        while (results.MoveNextAsync().AsTask().Result)
        {
            sum += results.Current.Tag;
        }

        sum.Should().Be(10);
        results.DisposeAsync().AsTask().Wait();
        ProcessBatch.Run(items).Results.Select(result => result.Tag).Should().Equal(0, 1, 2, 3, 4);
        (items[1] with { Slots = 2 }).Should().NotBe(items[1]);
        (items[1] with { }).Should().Be(items[1]);
    });
}
