using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>
/// Verifies that code for the input does not begin after the child has ended. The threads of user code are held back
/// until then, as a busy machine holds them back.
/// </summary>
public sealed class LateInputTests : IDisposable
{
    private readonly ProcessEngine _engine;
    private readonly HeldThreads _threads;

    public LateInputTests() => _engine = HeldThreads.Engine(out _threads);

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void Writer_WhoseTurnComesAfterTheEnd_IsNotCalled() => Guard.Run(() =>
    {
        bool isCalled = false;
        ProcessCommand command = TestPrograms.Quick() with
        {
            StandardInput = InputSource.FromWriter((_, _) =>
            {
                isCalled = true;
                return Task.CompletedTask;
            }),
        };
        command.Run(_engine).EnsureSuccess();
        _threads.RunHeld();
        isCalled.Should().BeFalse();
    });

    [Fact]
    public void Lines_WhoseTurnComesAfterTheEnd_AreNotAskedFor() => Guard.Run(() =>
    {
        bool isAsked = false;
        ProcessCommand command = TestPrograms.Quick() with { StandardInput = InputSource.FromLines(Lines()) };
        command.Run(_engine).EnsureSuccess();
        _threads.RunHeld();
        isAsked.Should().BeFalse();

        IEnumerable<string> Lines()
        {
            isAsked = true;
            yield return "line";
        }
    });

    [Fact]
    public void Lines_AfterTheOneThatIsUnderWayAtTheEnd_AreNotAskedFor() => Guard.Run(() =>
    {
        using ManualResetEventSlim isUnderWay = new();
        using ManualResetEventSlim hasEnded = new();
        bool isAskedAgain = false;
        bool isDisposed = false;
        ProcessCommand command =
            TestPrograms.Quick("sleep", "1000000") with { StandardInput = InputSource.FromLines(Lines()) };
        Thread feeder = new(() =>
        {
            _threads.AwaitJob();
            _threads.RunHeld();
        });
        using (ChildProcess child = command.Start(_engine))
        {
            feeder.Start();
            isUnderWay.Wait();
            child.Kill();
            child.Wait();
        }

        hasEnded.Set();
        feeder.Join();
        isAskedAgain.Should().BeFalse();
        isDisposed.Should().BeTrue();

        IEnumerable<string> Lines()
        {
            try
            {
                isUnderWay.Set();
                hasEnded.Wait();
                yield return "1";
                isAskedAgain = true;
                yield return "2";
            }
            finally
            {
                isDisposed = true;
            }
        }
    });

    // Nobody else would read what the first stage writes.
    [Fact]
    public void CodeOfAPipeline_WhoseTurnComesAfterTheEndOfItsStage_IsNotCalledAndHoldsUpNothing() => Guard.Run(() =>
    {
        bool isCalled = false;
        ProcessPipeline pipeline = TestPrograms.Quick("zeros", "3000000").PipeThrough(
            (_, _, _) =>
            {
                isCalled = true;
                return Task.CompletedTask;
            },
            TestPrograms.Quick());
        using RunningPipeline running = pipeline.Start(_engine);
        running.Stages[1].Wait();
        _threads.LetGo();
        running.Wait().Stages[1].IsSuccess.Should().BeTrue();
        isCalled.Should().BeFalse();
    });
}
