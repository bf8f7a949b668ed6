using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using Xunit;

namespace ProcessRunner.Tests.Backends.Reactors;

/// <summary>Verifies the actions that a reactor runs once it has nothing else to do.</summary>
public sealed class IdleActionsTests
{
    private readonly IdleActions _actions = new();
    private int _runs;

    [Fact]
    public void Action_ThatIsQueuedTwice_RunsOnce()
    {
        Action action = Count;
        _actions.Add(action);
        _actions.Add(action);
        _actions.Run(isIdle: true);
        (_runs, _actions.Any).Should().Be((1, false));
        _actions.Add(action);
        _actions.Run(isIdle: true);
        _runs.Should().Be(2);
    }

    [Fact]
    public void Action_OfAReactorThatIsBusyForLong_RunsNevertheless()
    {
        _actions.Add(Count);
        long due = MonotonicClock.In(TimeSpan.FromMilliseconds(1));
        SpinWait.SpinUntil(() => MonotonicClock.Now >= due);
        _actions.Run(isIdle: false);
        _runs.Should().Be(1);
    }

    [Fact]
    public void Action_ThatQueuesItself_RunsInTheNextTurn()
    {
        Action action = null!;
        action = () =>
        {
            _runs++;
            _actions.Add(action);
        };
        _actions.Add(action);
        _actions.Run(isIdle: true);
        (_runs, _actions.Any).Should().Be((1, true));
    }

    [Fact]
    public void Action_ThatLacksMemory_RunsAgain()
    {
        _actions.Add(() =>
        {
            if (_runs++ == 0)
            {
                throw new InsufficientMemoryException();
            }
        });
        _actions.Run(isIdle: true);
        _actions.Any.Should().BeTrue();
        _actions.Run(isIdle: true);
        (_runs, _actions.Any).Should().Be((2, false));
    }

    private void Count() => _runs++;
}
