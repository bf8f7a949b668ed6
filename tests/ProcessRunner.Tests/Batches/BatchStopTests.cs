using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies every way to stop a batch at every stage: known results arrive, nothing is left, and the result names the
/// right cause.
/// </summary>
[Collection(Alone.Name)]
public sealed class BatchStopTests
{
    private static readonly BatchItem s_true = new(TestPrograms.Quick());
    private static readonly BatchItem s_sleeper = new(TestPrograms.Quick("sleep", "1000000"));

    public static TheoryData<Way, bool> Ways
    {
        get
        {
            TheoryData<Way, bool> ways = [];
            foreach ((Way way, bool isAsync) in BatchDrive.Ways)
            {
                ways.Add(way, isAsync);
            }

            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Stop_WhileChildrenRun_StopsThemAndYieldsThem(Way way, bool isAsync) => Check(way, drive =>
    {
        const int Sleepers = 4;
        Ending ending = drive.Run(
            Enumerable.Repeat(s_sleeper, int.MaxValue).Prepend(s_true),
            new BatchOptions { MaxConcurrency = Sleepers },
            way,
            isAsync,
            _ => drive.Engine.StartedChildren == 1 + Sleepers);
        ending.Results[0].IsSuccess.Should().BeTrue();
        if (way is not (Way.LeaveTheLoop or Way.ThrowInTheLoop))
        {
            ending.Results.Skip(1).Should().HaveCount(Sleepers).And.OnlyContain(
                result => result.Result!.StoppedBy == BatchDrive.CauseOf(way) && !result.IsSuccess);
        }

        return ending;
    });

    [Theory]
    [MemberData(nameof(Ways))]
    public void Stop_WhileTheInputBlocksForEver_DoesNotWaitForIt(Way way, bool isAsync)
    {
        using ManualResetEventSlim letGo = new();
        Check(way, drive =>
        {
            Ending ending =
                drive.Run(ThenBlock(letGo), new BatchOptions(), way, isAsync, batch => batch.Progress.Running == 0);
            ending.Results.Should().ContainSingle();
            return ending;
        });
        letGo.Set();
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Stop_BetweenTwoAttempts_YieldsWhatCameOfTheFirst(Way way, bool isAsync) => Check(way, drive =>
    {
        Ending ending = drive.Run(
            [s_true, new BatchItem(TestPrograms.Quick("return", "1"))],
            new BatchOptions { Retry = new BatchRetry { Count = 3, Delay = TimeSpan.FromHours(1) } },
            way,
            isAsync,
            batch => batch.Progress is { Retried: 1, Running: 0 });
        // The limit can pass before the first attempt has ended.
        if (way is not (Way.LeaveTheLoop or Way.ThrowInTheLoop or Way.Timeout))
        {
            ending.Results.Should().HaveCount(2, "the failure is known");
            ending.Results[1].Result!.ExitCode.Should().Be(1);
        }

        return ending;
    });

    [Theory]
    [MemberData(nameof(Ways))]
    public void Stop_WhileTheReaderIsSlow_YieldsWhatIsKnown(Way way, bool isAsync) => Check(way, drive =>
    {
        const int Slots = 3;
        long known = 0;
        Ending ending = drive.Run(
            Enumerable.Repeat(s_true, int.MaxValue),
            new BatchOptions { MaxConcurrency = Slots },
            way,
            isAsync,
            batch =>
            {
                BatchProgress progress = batch.Progress;
                known = progress.Passed;
                return progress.Passed > Slots && progress.Running == 0;
            });
        if (way is not (Way.LeaveTheLoop or Way.ThrowInTheLoop or Way.Timeout))
        {
            ending.Results.Count.Should().Be((int)known);
        }

        return ending;
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stop_BeforeTheFirstResult_BySomebodyElse_EndsTheWait(bool isAsync) => Guard.Run(() =>
    {
        using BatchDrive drive = new();
        BatchOptions options = new() { Engine = drive.Engine, MaxConcurrency = 2 };
        BatchItem[] items = [s_sleeper, s_sleeper, s_sleeper];
        BatchRun batch = isAsync ? ProcessBatch.EnumerateAsync(items, options) : ProcessBatch.Enumerate(items, options);
        PlainThread stopper = PlainThread.Run(() =>
        {
            try
            {
                Eventually.Is(() => drive.Engine.StartedChildren == 2, "both run");
            }
            finally
            {
                // The test waits for the results, and only then for this thread.
                batch.RequestStop();
                batch.RequestStop();
            }
        });
        List<BatchResult> results = isAsync
            ? ((AsyncBatchResults)batch).ToBlockingEnumerable().ToList()
            : [.. (BatchResults)batch];
        stopper.Join();
        results.Select(result => result.Result!.StoppedBy).Should().Equal(StopCause.Request, StopCause.Request);
        batch.StoppedBy.Should().Be(StopCause.Request);
        drive.Engine.LiveChildren.Should().Be(0);
    });

    [Theory]
    [InlineData(BatchFailureAction.StopStarting)]
    [InlineData(BatchFailureAction.StopRunning)]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void FirstFailure_StopsWhatItIsToStop(BatchFailureAction action) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ProcessEngine engine = new();
        string fifo = directory.Fifo("fifo");
        ProcessCommand reader = TestPrograms.Shell("read word <\"$1\"; echo $word", fifo);
        ProcessCommand failing = TestPrograms.Quick("return", "7");

        // The second command unblocks the first, but only after the batch has seen it fail.
        BatchResults batch = ProcessBatch.Enumerate(
            new ProcessCommand[] { reader, failing }.Concat(
                Enumerable.Repeat(TestPrograms.Quick(), int.MaxValue)),
            new BatchOptions { MaxConcurrency = 2, OnFirstFailure = action, Engine = engine });
        List<BatchResult> results = [];
        foreach (BatchResult result in batch)
        {
            results.Add(result);
            if (result.Index == 1 && action == BatchFailureAction.StopStarting)
            {
                TestPrograms.Shell("echo word >\"$1\"", fifo).Run().EnsureSuccess();
            }
        }

        batch.StoppedBy.Should().Be(StopCause.BatchFailure);
        results.Select(result => result.Index).Should().Equal(1, 0);
        results[0].Result!.ExitCode.Should().Be(7);
        (results[1].IsSuccess, results[1].Result!.StoppedBy).Should().Be(
            action == BatchFailureAction.StopStarting ? (true, StopCause.None) : (false, StopCause.BatchFailure));
        engine.LiveChildren.Should().Be(0);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void FirstFailure_ThatARetryMakesGood_StopsNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand flaky = TestPrograms.Shell("[ -e \"$1\" ] || { touch \"$1\"; exit 1; }", directory.At("second"));
        BatchResults batch = ProcessBatch.Enumerate(
            [flaky, TestPrograms.Quick(), TestPrograms.Quick()],
            new BatchOptions
            {
                MaxConcurrency = 1,
                OnFirstFailure = BatchFailureAction.StopRunning,
                Retry = new BatchRetry { Count = 1 },
            });
        batch.ToList().Should().HaveCount(3).And.OnlyContain(result => result.IsSuccess);
        batch.StoppedBy.Should().Be(StopCause.None);
    });

    [Fact]
    public void Stop_AfterTheStopByAFailure_StopsTheRunningOnesAndKeepsTheCause() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate(
            [
                TestPrograms.Quick("sleep", "1000000") with { Timeout = TimeSpan.FromMinutes(5) },
                TestPrograms.Quick("return", "1"),
            ],
            new BatchOptions { MaxConcurrency = 2, OnFirstFailure = BatchFailureAction.StopStarting });
        List<BatchResult> results = [];
        foreach (BatchResult result in batch)
        {
            results.Add(result);
            batch.RequestStop();
        }

        results.Select(result => result.Index).Should().Equal(1, 0);
        results[1].Result!.StoppedBy.Should().Be(StopCause.Request);
        batch.StoppedBy.Should().Be(StopCause.BatchFailure);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stop_AfterTheEnd_ChangesNothing(bool isAsync) => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        BatchItem[] items = [s_true, s_true];
        BatchRun batch = isAsync
            ? ProcessBatch.EnumerateAsync(items, null, source.Token)
            : ProcessBatch.Enumerate(items, null, source.Token);
        int count = isAsync ? ((AsyncBatchResults)batch).ToBlockingEnumerable().Count() : ((BatchResults)batch).Count();
        source.Cancel();
        batch.RequestStop();
        (count, batch.StoppedBy).Should().Be((2, StopCause.None));
        batch.Progress.Passed.Should().Be(2);
    });

    // StopGrace decides: a child that ignores the signal is killed, and a descendant in its own session is found.
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Stop_OfChildrenThatIgnoreIt_KillsThemAfterTheirGrace() => Guard.Run(() =>
    {
        using BatchDrive drive = new();
        ProcessCommand deaf = TestPrograms.Shell("trap '' TERM; echo ready; while :; do sleep 1000; done") with
        {
            StopGrace = TimeSpan.FromMilliseconds(200),
        };
        Ending ending = drive.Run(
            [s_true, new BatchItem(deaf)],
            new BatchOptions { MaxConcurrency = 2 },
            Way.Request,
            isAsync: false,
            _ => drive.Engine.StartedChildren == 2);
        ending.Results[1].Result!.StoppedBy.Should().Be(StopCause.Request);
        ending.Results[1].Result!.SignalNumber.Should().BeOneOf(9, 15);
        drive.Engine.LiveChildren.Should().Be(0);
    });

    private static void Check(Way way, Func<BatchDrive, Ending> run) => Guard.Run(() =>
    {
        if (way == Way.Timeout)
        {
            LongerLimits.Until(limit => Check(way, run, limit));
        }
        else
        {
            Check(way, run, limit: default);
        }
    });

    private static void Check(Way way, Func<BatchDrive, Ending> run, TimeSpan limit)
    {
        TestPrograms.Quick().Run();
        Leftovers leftovers = new();
        using BatchDrive drive = new(limit);
        Ending ending = run(drive);
        Leftovers.OfChildrenAreNone(drive.Engine);
        ending.StoppedBy.Should().Be(BatchDrive.CauseOf(way));
        (ending.Exception?.GetType()).Should().Be(BatchDrive.ExceptionOf(way), $"{ending.Exception}");
        if (ending.Exception is OperationCanceledException exception)
        {
            exception.CancellationToken.Equals(drive.Canceled).Should().BeTrue("it is the caller's token");
        }

        drive.Engine.Dispose();
        leftovers.OfDescriptorsAreNone();
    }

    private static IEnumerable<BatchItem> ThenBlock(ManualResetEventSlim letGo)
    {
        yield return s_true;
        letGo.Wait();
        yield return s_sleeper;
    }
}
