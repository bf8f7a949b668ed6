using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies the wait for one line of a child that goes on.</summary>
public sealed class WaitForLineTests
{
    public static TheoryData<bool> BothWays => [false, true];

    [Theory]
    [MemberData(nameof(BothWays))]
    public void Line_ThatMatches_IsTakenAndTheRestStays(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start("echo", "one", "echo", "two", "echo", "three", "echo", "four");
        Wait(child, isAsync, line => line.Content.StartsWith('t')).Content.Should().Be("two");
        Wait(child, isAsync, line => line.Content == "three").Content.Should().Be("three");
        child.ReadLines().Select(line => line.Content).Should().Equal("four");
        child.Wait().IsSuccess.Should().BeTrue();
    });

    [Theory]
    [MemberData(nameof(BothWays))]
    public void Dialogue_OfLinesAndAnswers_Works(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start(
            "echo", "name?", "answer", "hello ", "echo", "age?", "answer", "age ", "return", "42");
        Wait(child, isAsync, line => line.Content == "name?");
        child.StandardInput.Write("you\n"u8);
        Wait(child, isAsync, line => line.Content == "hello you");
        Wait(child, isAsync, line => line.Content == "age?");
        child.StandardInput.Write("42\n"u8);
        child.Wait().ExitCode.Should().Be(42);
    });

    [Theory]
    [MemberData(nameof(BothWays))]
    public void Limit_ThatPasses_IsATimeoutAndTheChildGoesOn(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start("echo", "one", "sleep", "1000000");
        FluentActions.Invoking(() => Wait(child, isAsync, _ => false, TimeSpan.FromMilliseconds(30)))
            .Should().Throw<TimeoutException>().WithMessage("*00:00:00.03*");
        child.IsRunning.Should().BeTrue();
    });

    [Theory]
    [MemberData(nameof(BothWays))]
    public void Limit_ThatPassesAgainAndAgain_LeavesNothingBehind(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start("sleep", "1000000");
        for (int i = 0; i < 20; i++)
        {
            FluentActions.Invoking(() => Wait(child, isAsync, _ => true, TimeSpan.FromMilliseconds(i % 3)))
                .Should().Throw<TimeoutException>();
        }

        Internals.WaitingReadersOf(child).Should().Be(0);
    });

    [Fact]
    public void Interrupt_OfTheWait_LeavesNothingBehind() => Guard.Run(() =>
    {
        using ChildProcess child = Start("sleep", "1000000");
        Thread.CurrentThread.Interrupt();
        FluentActions.Invoking(() => child.WaitForLine(_ => true, Timeout.InfiniteTimeSpan))
            .Should().Throw<ThreadInterruptedException>();
        Internals.WaitingReadersOf(child).Should().Be(0);
    });

    // Lines come at the very moment at which the limit passes: each is for that wait or for the next one.
    [Theory]
    [MemberData(nameof(BothWays))]
    public void Line_ThatMeetsTheLimit_IsNotLost(bool isAsync) => Guard.Run(() =>
    {
        string[] words = [.. Enumerable.Range(0, 200).SelectMany(i => new[] { "echo", $"{i}", "sleep", "1" })];
        using ChildProcess child = Start(words);
        List<string> taken = [];
        for (bool hasEnded = false; !hasEnded;)
        {
            try
            {
                taken.Add(Wait(child, isAsync, _ => true, TimeSpan.FromTicks(7_000)).Content);
            }
            catch (TimeoutException)
            {
                // The next wait takes it.
            }
            catch (EndOfStreamException)
            {
                hasEnded = true;
            }
        }

        taken.Should().Equal(Enumerable.Range(0, 200).Select(i => $"{i}"));
    });

    // The reader always finds a line, so that it never waits.
    [Theory]
    [MemberData(nameof(BothWays))]
    public void Limit_Passes_ThoughLinesComeAllTheTime(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start("yes");
        FluentActions.Invoking(() => Wait(child, isAsync, _ => false, TimeSpan.FromMilliseconds(50)))
            .Should().Throw<TimeoutException>();
    });

    [Theory]
    [MemberData(nameof(BothWays))]
    public void End_WithoutAMatch_IsTheEndOfTheStream(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start("echo", "one", "return", "3");
        FluentActions.Invoking(() => Wait(child, isAsync, line => line.Content == "two"))
            .Should().Throw<EndOfStreamException>();
        child.Wait().ExitCode.Should().Be(3);
    });

    [Theory]
    [MemberData(nameof(BothWays))]
    public void Predicate_ThatThrows_EndsTheWaitAlone(bool isAsync) => Guard.Run(() =>
    {
        using ChildProcess child = Start("echo", "one", "stdin-line");
        FluentActions.Invoking(() => Wait(child, isAsync, _ => throw new FormatException()))
            .Should().Throw<FormatException>();
        child.IsRunning.Should().BeTrue();
    });

    [Fact]
    public void Token_EndsTheWaitAlone() => Guard.Run(() =>
    {
        using ChildProcess child = Start("sleep", "1000000");
        using CancellationTokenSource source = new();
        Task<OutputLine> wait = child.WaitForLineAsync(_ => true, Timeout.InfiniteTimeSpan, source.Token);
        source.Cancel();
        FluentActions.Invoking(() => wait.GetAwaiter().GetResult()).Should().Throw<OperationCanceledException>()
            .Which.CancellationToken.Should().Be(source.Token);
        child.IsRunning.Should().BeTrue();
    });

    // The child is faster than the predicate, so that the wait always finds a line.
    [Fact]
    public void Token_EndsTheWait_ThoughLinesComeAllTheTime() => Guard.Run(() =>
    {
        using ChildProcess child = Start("yes");
        using CancellationTokenSource source = new();
        int calls = 0;
        Task<OutputLine> wait = child.WaitForLineAsync(
            _ =>
            {
                if (++calls == 3)
                {
                    Eventually.Is(() => child.Lines.Count > 100, "the channel fills");
                    source.Cancel();
                }

                // Far more lines than a wait may take that has been canceled, and an end for one that does not see it.
                return calls == 50;
            },
            Timeout.InfiniteTimeSpan,
            source.Token);
        FluentActions.Invoking(() => wait.GetAwaiter().GetResult()).Should().Throw<OperationCanceledException>();
        calls.Should().Be(3);
        child.IsRunning.Should().BeTrue();
    });

    [Fact]
    public void Lines_ThatAreIgnored_HoldUpNobody() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "ready", "seq", "1", "200000") with
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture()),
        };
        using ChildProcess child = command.Start();
        child.WaitForLine(line => line.Content == "ready", Timeout.InfiniteTimeSpan);
        child.IgnoreLines();
        child.Wait().StandardOutput.Lines().Should().HaveCount(200_001);
    });

    [Fact]
    public void Misuse_IsToldAtOnce() => Guard.Run(() =>
    {
        using ChildProcess silent = TestPrograms.Quick().Start();
        using ChildProcess live = Start();
        Action[] misuses =
        [
            () => silent.WaitForLine(_ => true, TimeSpan.Zero),
            () => silent.WaitForLineAsync(_ => true, TimeSpan.Zero),
            () => silent.IgnoreLines(),
            () => live.WaitForLine(null!, TimeSpan.Zero),
            () => live.WaitForLineAsync(null!, TimeSpan.Zero),
            () => live.WaitForLine(_ => true, TimeSpan.FromMilliseconds(-2)),
            () => live.WaitForLineAsync(_ => true, TimeSpan.FromMilliseconds(-2)),
        ];
        Type[] errors =
            [.. misuses.Select(misuse => misuse.Should().Throw<Exception>().Which.GetType())];
        errors.Should().Equal(
            typeof(InvalidOperationException),
            typeof(InvalidOperationException),
            typeof(InvalidOperationException),
            typeof(ArgumentNullException),
            typeof(ArgumentNullException),
            typeof(ArgumentOutOfRangeException),
            typeof(ArgumentOutOfRangeException));
    });

    private static ChildProcess Start(params string[] words) => (TestPrograms.Quick(words) with
    {
        StandardInput = InputSource.Pipe,
        StandardOutput = OutputTarget.Live(),
    }).Start();

    private static OutputLine Wait(
        ChildProcess child, bool isAsync, Func<OutputLine, bool> predicate, TimeSpan? limit = null) => isAsync
        ? child.WaitForLineAsync(predicate, limit ?? Timeout.InfiniteTimeSpan).GetAwaiter().GetResult()
        : child.WaitForLine(predicate, limit ?? Timeout.InfiniteTimeSpan);
}
