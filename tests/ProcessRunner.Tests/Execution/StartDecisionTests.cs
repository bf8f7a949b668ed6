using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Execution;

/// <summary>
/// Verifies that nobody goes on between the decision of a start and its outcome. Both are made in one hold of the gate.
/// </summary>
public sealed class StartDecisionTests
{
    [Fact]
    public void ThreadThatWaitsForTheStart_WaitsForItsOutcome() => WhileDecided(
        _ => { },
        start => start.BlockUntilDecided());

    [Fact]
    public void ActionThatWaitsForTheStart_WaitsForItsOutcome()
    {
        bool hasRun = false;
        WhileDecided(
            start => start.TryWhenDecided(() => hasRun = true).Should().BeTrue(),
            start => start.TellDecided());
        hasRun.Should().BeTrue();
    }

    private static void WhileDecided(Action<ChildStart> prepare, Action<ChildStart> goOn) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ChildLife life = ChildLife.Create(new StartOrder(TestPrograms.Quick()), engine.Parts(first: null));
        ChildStart start = new(life, firstAttempt: 1, isTriedOnce: false);
        prepare(start);
        Thread other = new(() => goOn(start));
        bool waits;
        lock (life.Child.Gate)
        {
            start.Decide();
            other.Start();
            Eventually.Is(
                () => !other.IsAlive || other.ThreadState.HasFlag(ThreadState.WaitSleepJoin), "it waits or goes on");
            waits = other.IsAlive;
        }

        other.Join();
        life.GiveUp(new OperationCanceledException());
        waits.Should().BeTrue("the outcome was not known yet");
    });
}
