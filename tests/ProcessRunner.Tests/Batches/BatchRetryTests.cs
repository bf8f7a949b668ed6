using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies retries of failed commands.</summary>
public sealed class BatchRetryTests
{
    // The script counts its runs in a file and succeeds at a given run.
    private const string SucceedsAt =
        "echo >>\"$1\"; [ $(wc -l <\"$1\") -ge $2 ] || { echo no >&2; exit 9; }; echo yes";

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void CommandThatSucceedsAtTheThirdTry_IsFlakyAndTellsOfTheOthers() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        BatchResults batch = ProcessBatch.Enumerate(
            [TestPrograms.Shell(SucceedsAt, directory.At("runs"), "3"), TestPrograms.Quick()],
            new BatchOptions { Retry = new BatchRetry { Count = 5 } });
        List<BatchResult> results = [.. batch.OrderBy(result => result.Index)];
        (results[0].IsSuccess, results[0].IsFlaky, results[1].IsFlaky).Should().Be((true, true, false));
        results[0].Result!.StandardOutput.Text.Should().Be("yes\n");
        results[0].EarlierAttempts.Select(one => (one.ExitCode, one.StandardError.Text))
            .Should().Equal((9, "no\n"), (9, "no\n"));
        results[0].EarlierAttempts.Select(one => one.StartTime).Should().BeInAscendingOrder();
        results[1].EarlierAttempts.Should().BeEmpty();
        (batch.Progress.Passed, batch.Progress.Flaky, batch.Progress.Failed, batch.Progress.Retried)
            .Should().Be((2, 1, 0, 2));
        batch.Progress.Bytes.Should().Be(10);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void CommandWhoseTriesAreUsedUp_HasFailedWithItsLastResult() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        BatchResults batch = ProcessBatch.Enumerate(
            [TestPrograms.Shell(SucceedsAt, directory.At("runs"), "4")],
            new BatchOptions { Retry = new BatchRetry { Count = 2 } });
        BatchResult result = batch.Single();
        (result.IsSuccess, result.IsFlaky, result.EarlierAttempts.Count).Should().Be((false, false, 2));
        File.ReadAllLines(directory.At("runs")).Should().HaveCount(3);
        FluentActions.Invoking(result.EnsureSuccess).Should().ThrowExactly<ExitCodeException>();
        (batch.Progress.Failed, batch.Progress.Retried, batch.StoppedBy).Should().Be((1, 2, StopCause.None));
    });

    [Fact]
    public void Delay_IsKept_AndOthersUseTheSlotMeanwhile() => Guard.Run(() => SteadyClock.During(() =>
    {
        List<BatchResult> results = [.. ProcessBatch.Enumerate(
            [TestPrograms.Quick("return", "1"), TestPrograms.Quick(), TestPrograms.Quick()],
            new BatchOptions
            {
                MaxConcurrency = 1,
                Retry = new BatchRetry { Count = 2, Delay = TimeSpan.FromMilliseconds(150), Factor = 2 },
            })];
        results.Select(result => result.Index).Should().Equal(1, 2, 0);
        List<ProcessResult> attempts = [.. results[2].EarlierAttempts, results[2].Result!];

        // The wall clock measures the start and the end; the tolerance allows for its slewing.
        (attempts[1].StartTime - attempts[0].ExitTime).Should().BeGreaterThan(TimeSpan.FromMilliseconds(145));
        (attempts[2].StartTime - attempts[1].ExitTime).Should().BeGreaterThan(TimeSpan.FromMilliseconds(290));
    }));

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void KilledAndTimedOutCommands_AreRunAgain_UnstartableOnesAndThoseWithABadCallbackAreNot() => Guard.Run(() =>
    {
        OutputTarget bad = OutputTarget.ToLines(_ => throw new NotFiniteNumberException());
        ProcessCommand[] commands =
        [
            TestPrograms.Shell("kill -9 $$"),
            TestPrograms.Quick("sleep", "1000000") with { Timeout = TimeSpan.FromMilliseconds(20) },
            new ProcessCommand("/no/such/program"),
            TestPrograms.Quick("echo", "x") with { StandardOutput = bad },
            TestPrograms.Quick("echo", "x", "return", "9") with { StandardOutput = bad },
        ];
        List<BatchResult> results =
            [
                .. ProcessBatch.Enumerate(commands, new BatchOptions { Retry = new BatchRetry { Count = 2 } })
                    .OrderBy(one => one.Index),
            ];
        results.Select(result => result.EarlierAttempts.Count).Should().Equal(2, 2, 0, 0, 0);
        results.Should().OnlyContain(result => !result.IsSuccess);
    });

    [Fact]
    public void ManyRetriesThatWait_DoNotKeepTheOthersFromTheFreeSlots() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Repeat(TestPrograms.Quick("return", "1"), 520).Append(TestPrograms.Quick()),
            new BatchOptions
            {
                MaxConcurrency = 8,
                Retry = new BatchRetry { Count = 1, Delay = TimeSpan.FromHours(1) },
            });
        foreach (BatchResult result in batch)
        {
            if (result.IsSuccess)
            {
                break;
            }
        }

        batch.StoppedBy.Should().Be(StopCause.Dispose);
    });

    [Theory]
    [InlineData(1, 0.5, 100)]
    [InlineData(2, 0.5, 300)]
    [InlineData(3, 0.5, 900)]
    [InlineData(4, 0.5, 2_000)]
    [InlineData(1_000_000, 0.5, 2_000)]
    [InlineData(1, 0, 60)]
    [InlineData(1, 1, 140)]
    [InlineData(9, 1, 2_800)]
    public void DelayAfter_GrowsToItsLimit_AndVariesByItsJitter(int failures, double chance, double milliseconds)
    {
        BatchRetry retry = new()
        {
            Delay = TimeSpan.FromMilliseconds(100),
            Factor = 3,
            MaxDelay = TimeSpan.FromSeconds(2),
            Jitter = 0.4,
        };
        retry.DelayAfter(failures, chance).Should().BeCloseTo(
            TimeSpan.FromMilliseconds(milliseconds), TimeSpan.FromMilliseconds(0.01));
    }

    [Fact]
    public void DelayAfter_WithTheDefaults_IsZero_AndNeverOverflows()
    {
        new BatchRetry().DelayAfter(7, 1).Should().Be(TimeSpan.Zero);
        new BatchRetry { Factor = double.MaxValue }.DelayAfter(7, 1).Should().Be(TimeSpan.Zero);
        new BatchRetry { Delay = TimeSpan.FromDays(24), Factor = double.MaxValue, Jitter = 1 }.DelayAfter(
            int.MaxValue, 1)
            .Should().Be(TimeSpan.FromDays(48));
    }
}
