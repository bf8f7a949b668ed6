using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Batches that run as a whole.</summary>
public sealed class BatchSummaryTests
{
    public static TheoryData<bool> Roads => [false, true];

    [Theory]
    [MemberData(nameof(Roads))]
    public void Run_OfMany_HasAllResultsInTheOrderOfTheInput(bool isAsync) => Guard.Run(() =>
    {
        const int Count = 300;
        IEnumerable<ProcessCommand> commands = Enumerable.Range(0, Count)
            .Select(i => TestPrograms.Quick("sleep", $"{20 * (i % 3)}", "print", $"{i}", "return", $"{i % 2}"));
        BatchSummary summary = Run(commands, isAsync, new BatchOptions { MaxConcurrency = 16 });
        summary.Results.Select(result => result.Result!.StandardOutput.Text)
            .Should().Equal(Enumerable.Range(0, Count).Select(i => $"{i}"));
        (summary.Passed, summary.Failed, summary.Flaky, summary.NotStarted).Should().Be((150, 150, 0, 0));
        summary.StoppedBy.Should().Be(StopCause.None);
        summary.Duration.Should().BePositive();
        summary.IsSuccess.Should().BeFalse();
        summary.ToString().Should().Be("150 passed, 150 failed, 0 not started");
    });

    [Theory]
    [MemberData(nameof(Roads))]
    public void Run_OfRepetitions_HasTheResultsOfOneBehindThoseOfTheOther(bool isAsync) => Guard.Run(() =>
    {
        IEnumerable<ProcessCommand> commands = Enumerable.Range(0, 3).Select(i => TestPrograms.Quick("print", $"{i}"));
        BatchSummary summary = Run(commands, isAsync, new BatchOptions { RepeatCount = 2 });
        summary.Results.Select(result => (result.Repetition, result.Index))
            .Should().Equal((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2));
    });

    [Fact]
    public void Run_WhoseThreadIsInterrupted_LeavesNoChild() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        int live = -1;
        Exception? thrown = null;
        Thread thread = new(() =>
        {
            BatchOptions options = new() { Engine = engine };
            thrown = Record.Exception(() => ProcessBatch.Run([TestPrograms.Quick("sleep", "1000000")], options));
            live = engine.LiveChildren;
        });
        thread.Start();
        Eventually.Is(() => engine.LiveChildren == 1, "the child runs");
        thread.Interrupt();
        thread.Join();
        thrown.Should().BeOfType<ThreadInterruptedException>();
        live.Should().Be(0);
    });

    [Theory]
    [MemberData(nameof(Roads))]
    public void Run_OfNone_IsASuccess(bool isAsync) => Guard.Run(() =>
    {
        BatchSummary summary = Run([], isAsync);
        summary.Results.Should().BeEmpty();
        summary.EnsureSuccess().Should().BeSameAs(summary);
    });

    // More results than a reader may let pile up: nobody reads before the end.
    [Theory]
    [MemberData(nameof(Roads))]
    public void Run_WithoutAReader_IsNotHeldBack(bool isAsync) => Guard.Run(() =>
    {
        BatchSummary summary =
            Run(Enumerable.Repeat(TestPrograms.Quick(), 1_000), isAsync, new BatchOptions { MaxConcurrency = 4 });
        summary.EnsureSuccess().Results.Should().HaveCount(1_000);
    });

    [Theory]
    [MemberData(nameof(Roads))]
    public void EnsureSuccess_OfFailures_TellsAllOfThem(bool isAsync) => Guard.Run(() =>
    {
        BatchSummary summary = Run(
            [TestPrograms.Quick("return", "3"), new("/no/such/program"), TestPrograms.Quick()], isAsync);
        AggregateException error =
            summary.Invoking(one => one.EnsureSuccess()).Should().ThrowExactly<AggregateException>().Which;
        error.Message.Should().StartWith("The batch did not succeed: 1 passed, 2 failed, 0 not started.");
        error.InnerExceptions.Select(inner => inner.GetType())
            .Should().Equal(typeof(ExitCodeException), typeof(ProcessStartException));
    });

    [Theory]
    [MemberData(nameof(Roads))]
    public void Run_StoppedByAFailure_CountsWhatWasNotStarted(bool isAsync) => Guard.Run(() =>
    {
        ProcessCommand[] commands =
            [TestPrograms.Quick("return", "1"), .. Enumerable.Repeat(TestPrograms.Quick(), 20)];
        BatchOptions options = new() { MaxConcurrency = 1, OnFirstFailure = BatchFailureAction.StopStarting };
        BatchSummary summary = Run(commands, isAsync, options);
        (summary.Failed, summary.StoppedBy, summary.IsSuccess).Should().Be((1, StopCause.BatchFailure, false));
        (summary.Passed + summary.NotStarted).Should().BeLessThanOrEqualTo(20);
        summary.ToString().Should().EndWith(", stopped by BatchFailure");
    });

    [Theory]
    [MemberData(nameof(Roads))]
    public void Token_Canceled_ThrowsAndKeepsWhatWasDone(bool isAsync) => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        ProcessCommand last = TestPrograms.Quick("print", "ready", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ => { }),
        };
        Progress progress = new(done => done.Passed == 1, source.Cancel);
        BatchOptions options = new()
        {
            MaxConcurrency = 1,
            Progress = progress,
            ProgressInterval = TimeSpan.FromMilliseconds(1),
        };
        OperationCanceledException error = FluentActions
            .Invoking(() => Run([TestPrograms.Quick(), last], isAsync, options, source.Token))
            .Should().Throw<OperationCanceledException>().Which;
        error.CancellationToken.Should().Be(source.Token);
        BatchSummary summary = BatchSummary.Of(error)!;
        (summary.Passed, summary.StoppedBy).Should().Be((1, StopCause.CancellationToken));
        summary.Results[0].IsSuccess.Should().BeTrue();
        (summary.Results.Count + summary.NotStarted).Should().Be(2);
    });

    [Theory]
    [MemberData(nameof(Roads))]
    public void Input_ThatThrows_KeepsWhatWasDone(bool isAsync) => Guard.Run(() =>
    {
        FormatException error = FluentActions.Invoking(() => Run(Broken(), isAsync))
            .Should().ThrowExactly<FormatException>().Which;
        BatchSummary.Of(error)!.Passed.Should().Be(1);
        BatchSummary.Of(new FormatException()).Should().BeNull();

        static IEnumerable<ProcessCommand> Broken()
        {
            yield return TestPrograms.Quick();
            throw new FormatException("thrown");
        }
    });

    [Fact]
    public void Engine_ThatIsDisposed_IsToldByTheTask() => Guard.Run(() =>
    {
        ProcessEngine engine = new();
        engine.Dispose();
        Task<BatchSummary> run =
            ProcessBatch.RunAsync([TestPrograms.Quick()], new BatchOptions { Engine = engine });
        FluentActions.Invoking(() => run.GetAwaiter().GetResult()).Should().ThrowExactly<ObjectDisposedException>();
        Action withoutItems = () => ProcessBatch.RunAsync((IEnumerable<BatchItem>)null!);
        withoutItems.Should().ThrowExactly<ArgumentNullException>();
    });

    [Fact]
    public void AsyncInput_RunsAsAWhole() => Guard.Run(() =>
    {
        ProcessBatch.RunAsync(Commands()).Result.EnsureSuccess().Passed.Should().Be(3);

        static async IAsyncEnumerable<ProcessCommand> Commands()
        {
            for (int i = 0; i < 3; i++)
            {
                await Task.Yield();
                yield return TestPrograms.Quick();
            }
        }
    });

    private static BatchSummary Run(
        IEnumerable<ProcessCommand> commands,
        bool isAsync,
        BatchOptions? options = null,
        CancellationToken token = default) =>
        isAsync
            ? ProcessBatch.RunAsync(commands, options, token).GetAwaiter().GetResult()
            : ProcessBatch.Run(commands, options, token);

    private sealed class Progress(Predicate<BatchProgress> condition, Action action) : IProgress<BatchProgress>
    {
        public void Report(BatchProgress value)
        {
            if (condition(value))
            {
                action();
            }
        }
    }
}
