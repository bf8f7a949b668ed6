using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Reactors;

/// <summary>
/// Verifies the choice among reactors, and the watch over starts on their threads, without a process.
/// </summary>
[OnlyOn(Systems.Linux, "the reactors are those of the Linux backend")]
[NativeBackend("the reactors are those of the Linux backend")]
public sealed class ReactorGroupTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    [Fact]
    public void Children_OfAPlainThread_AreSpreadEvenly() => Guard.Run(() =>
    {
        List<Reactor> reactors = [];
        using ReactorGroup group = Group(3, reactors);
        for (int i = 0; i < 6; i++)
        {
            group.Choose().Register(new ShellChild());
        }

        reactors.Select(reactor => reactor.Load).Should().Equal(2, 2, 2);
    });

    [Fact]
    public void Child_OfAReactorsThread_StaysThere_UnlessAnotherHasClearlyFewer() => Guard.Run(() =>
    {
        using ReactorGroup group = Group(2, []);
        List<bool> stays = [];
        OnReactor(group, () =>
        {
            Reactor own = ReactorThread.Current!.Reactor;
            for (int i = 0; i < 3; i++)
            {
                stays.Add(group.Choose() == own);
                own.Register(new ShellChild());
            }
        });
        stays.Should().Equal(true, true, false);
    });

    [Fact]
    public void Thread_ThatHangsInAStart_IsReplaced_AndEndsBehindIt() => Guard.Run(() =>
    {
        using ManualResetEventSlim hangs = new();
        using ManualResetEventSlim mayGoOn = new();
        using ManualResetEventSlim isServed = new();
        ReactorThread? current = null;
        using EpollReactor reactor = new(index: 0);
        using KeptTimer start = new(reactor, _ =>
        {
            ReactorThread thread = ReactorThread.Current!;
            thread.BeginStart();
            hangs.Set();
            mayGoOn.Wait();
            thread.EndStart();
            current = ReactorThread.Current;
        });
        using KeptTimer other = new(reactor, _ => isServed.Set());
        try
        {
            start.Set(MonotonicClock.Now);
            hangs.Wait();
            reactor.ReplaceHungThread(TimeSpan.FromHours(1));
            reactor.ThreadCount.Should().Be(1, "a start may take its time");
            reactor.ReplaceHungThread(TimeSpan.Zero);
            reactor.ReplaceHungThread(TimeSpan.Zero);
            reactor.ThreadCount.Should().Be(2, "the second thread starts nothing");
            other.Set(MonotonicClock.Now);
            isServed.Wait(s_patience).Should().BeTrue("the reactor is served");
        }
        finally
        {
            mayGoOn.Set();
        }

        Eventually.Is(() => reactor.ThreadCount == 1, "the replaced thread has ended");
        current.Should().BeNull("it served nobody anymore");
    });

    // After a while without starts the watchdog sleeps until the next one.
    [Fact]
    public void Watchdog_ThatHasFallenAsleep_SeesTheNextStart_AndEndsWithItsGroup() => Guard.Run(() =>
    {
        bool isReplaced = false;
        ReactorGroup group = Group(1, []);
        using (group)
        {
            OnReactor(group, () => group.OnStart()!.EndStart());
            group.ThreadCount.Should().Be(2, "there are a reactor and the watchdog");
            Eventually.Is(() => !Internals.IsWatchdogAwake(group), "the watchdog sleeps");
            OnReactor(group, () =>
            {
                ReactorThread thread = group.OnStart()!;
                isReplaced = SpinWait.SpinUntil(() => ReactorThread.Current != thread, s_patience);
                thread.EndStart();
            });
            isReplaced.Should().BeTrue("the start hung");
        }

        Internals.WatchdogOf(group).IsAlive.Should().BeFalse();
    });

    private static ReactorGroup Group(int count, List<Reactor> reactors) => new(count, index =>
    {
        EpollReactor reactor = new(index);
        reactors.Add(reactor);
        return reactor;
    });

    // Runs an action on the thread of a reactor, and waits for its end.
    private static void OnReactor(ReactorGroup group, Action action)
    {
        using SemaphoreSlim isOver = new(0);
        using BackendTimer timer = group.CreateTimer(_ =>
        {
            action();
            isOver.Release();
        });
        timer.Set(MonotonicClock.Now);
        isOver.Wait();
    }
}
