using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

/// <summary>Verifies the event stream of a child.</summary>
public sealed class EventTests
{
    [Fact]
    public void Events_AreTheStartTheLinesAndTheEnd() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("print", "a\nb\n", "print-err", "c\n", "return", "3");
        using ChildProcess child = Live(command).Start();
        ChildEvent[] events = [.. child.ReadEventsAsync().ToBlockingEnumerable()];
        events.Should().HaveCount(5);
        events[0].Should().BeOfType<ChildStarted>().Which.ProcessId.Should().Be(child.ProcessId);
        events.OfType<ChildWrote>().Where(wrote => !wrote.Line.IsError).Select(wrote => wrote.ToString())
            .Should().Equal("a", "b");
        events.OfType<ChildWrote>().Single(wrote => wrote.Line.IsError).Line.Content.Should().Be("c");
        ProcessResult result = events[4].Should().BeOfType<ChildExited>().Which.Result;
        result.ExitCode.Should().Be(3);
        child.Wait().Should().BeSameAs(result);
    });

    [Fact]
    public void Dialogue_WithPrompts_Works() => Guard.Run(() =>
    {
        LineOptions prompts = new() { PromptDelay = TimeSpan.FromMilliseconds(20) };
        ProcessCommand login = TestPrograms.Quick("print", "Password: ", "answer", "got ", "return", "7") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(prompts),
        };
        using ChildProcess child = login.Start();
        int? exitCode = null;
        foreach (ChildEvent happened in child.ReadEventsAsync().ToBlockingEnumerable())
        {
            switch (happened)
            {
                case ChildWrote { Line: { IsPartial: true, Content: "Password: " } }:
                    child.StandardInput.Write("secret\n"u8);
                    break;

                case ChildWrote { Line: { IsPartial: false, Content: string line } }:
                    line.Should().EndWith("got secret");
                    break;

                case ChildExited exited:
                    exitCode = exited.Result.ExitCode;
                    break;
            }
        }

        exitCode.Should().Be(7);
    });

    // The child closes its output long before its end, which is then awaited without a line.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NotUnderWine("the own console of a child holds its pipes open there")]
    public void End_LongAfterTheLines_IsAwaitedOrCanceled(bool isCanceled) => Guard.Run(() =>
    {
        ProcessCommand command = Live(
            TestPrograms.Child("echo", "a", "close-output", "close-error", "stdin-line", "return", "5")) with
        {
            StandardInput = InputSource.Pipe,
        };
        using CancellationTokenSource source = new();
        using ChildProcess child = command.Start();
        IAsyncEnumerator<ChildEvent> events = child.ReadEventsAsync(source.Token).GetAsyncEnumerator();
        Next(events).Should().BeOfType<ChildStarted>();
        Next(events).Should().BeOfType<ChildWrote>();
        Task<bool> last = events.MoveNextAsync().AsTask();
        child.Lines.Completion.Wait();
        last.IsCompleted.Should().BeFalse();
        if (isCanceled)
        {
            source.Cancel();
            FluentActions.Invoking(() => last.GetAwaiter().GetResult()).Should().Throw<TaskCanceledException>();
            child.Wait().StoppedBy.Should().Be(StopCause.Request);
        }
        else
        {
            child.StandardInput.Write("\n"u8);
            last.Wait();
            events.Current.Should().BeOfType<ChildExited>().Which.Result.ExitCode.Should().Be(5);
            events.MoveNextAsync().AsTask().Result.Should().BeFalse();
        }

        events.DisposeAsync().AsTask().Wait();
    });

    [Fact]
    public void Leaving_StopsTheChild() => Guard.Run(() =>
    {
        using ChildProcess child = Live(TestPrograms.Quick("print", "a\n", "sleep", "1000000")).Start();
        foreach (ChildEvent happened in child.ReadEventsAsync().ToBlockingEnumerable())
        {
            if (happened is ChildWrote)
            {
                break;
            }
        }

        child.Wait().StoppedBy.Should().Be(StopCause.Request);
    });

    [Fact]
    public void CallbackThatThrows_IsToldByTheLastStep() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("print", "a\n", "print-err", "b\n") with
        {
            StandardOutput = OutputTarget.Live(),
            StandardError = OutputTarget.ToLines(_ => throw new FormatException("thrown")),
        };
        using ChildProcess child = command.Start();
        child.Invoking(one => one.ReadEventsAsync().ToBlockingEnumerable().Count())
            .Should().ThrowExactly<FormatException>();
    });

    [Fact]
    public void ChildWithoutLiveLines_IsRefused() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick().Start();
        child.Invoking(one => one.ReadEventsAsync()).Should().ThrowExactly<InvalidOperationException>();
    });

    [Fact]
    public void ManyChildren_EachHaveTheirEventsInOrder() => Guard.Run(() =>
    {
        ProcessCommand command = Live(TestPrograms.Quick("print", "a\n", "print-err", "b\n"));
        for (int i = 0; i < Crowd.Of(200); i++)
        {
            ChildProcess[] children = [.. Enumerable.Range(0, 10).Select(_ => command.Start())];
            foreach (ChildProcess child in children)
            {
                List<ChildEvent> events = [.. child.ReadEventsAsync().ToBlockingEnumerable()];
                (events.Count, events[0] is ChildStarted, events[^1] is ChildExited).Should().Be((4, true, true));
                child.Dispose();
            }
        }
    });

    private static ProcessCommand Live(ProcessCommand command) =>
        command with { StandardOutput = OutputTarget.Live(), StandardError = OutputTarget.Live() };

    private static ChildEvent Next(IAsyncEnumerator<ChildEvent> events)
    {
        events.MoveNextAsync().AsTask().Result.Should().BeTrue();
        return events.Current;
    }
}
