using System;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Io;

/// <summary>Verifies the table and the deadlines of a reactor without a process.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class EpollReactorTests
{
    // The thread may have fetched the event before the child left.
    [Fact]
    public void Event_OfAChildThatHasLeft_IsNotItsSuccessors()
    {
        using EpollReactor reactor = new(index: 0);
        LinuxChild first = NewChild(reactor);
        LinuxChild second = NewChild(reactor);
        ulong ofFirst = reactor.Register(first);
        Resolve(reactor, ofFirst).Should().Equal(first);
        reactor.Unregister(first, ofFirst);
        Resolve(reactor, ofFirst).Should().BeEmpty();

        ulong ofSecond = reactor.Register(second);
        EventToken.Slot(ofSecond).Should().Be(
            EventToken.Slot(ofFirst), "the table does not grow where a place is free");
        Resolve(reactor, ofFirst).Should().BeEmpty();
        Resolve(reactor, ofSecond).Should().Equal(second);
        reactor.Unregister(second, ofSecond);
    }

    [Fact]
    public void Deadline_OfAChildThatHasLeft_IsForgotten()
    {
        using EpollReactor reactor = new(index: 0);
        LinuxChild child = NewChild(reactor);
        ulong token = reactor.Register(child);
        reactor.SetDeadline(child, long.MaxValue - 1);
        reactor.CountDeadlines().Should().Be(1);
        reactor.Unregister(child, token);
        (reactor.CountDeadlines(), reactor.Count).Should().Be((0, 0));
    }

    // The reactor is about to sleep in some rounds, and sleeps in others.
    [Fact]
    public void Timer_SetAgainAndAgain_ExpiresEachTime()
    {
        using EpollReactor reactor = new(index: 0);
        using SemaphoreSlim expired = new(0);
        using KeptTimer timer = new(reactor, _ => expired.Release());
        for (int i = 0; i < 100; i++)
        {
            timer.Set(MonotonicClock.Now);
            expired.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue($"the reactor wakes in round {i}");
        }
    }

    // A thread can be replaced at the very end of a start, unnoticed by itself.
    [Fact]
    public void Action_OfAThreadThatWasReplaced_IsDoneByItsSuccessor() => Guard.Run(() =>
    {
        using EpollReactor reactor = new(index: 0);
        EpollThread replaced = new(reactor, index: 1);
        using ManualResetEventSlim done = new();
        for (int i = 0; i < 100; i++)
        {
            done.Reset();
            reactor.DoWhenIdle(done.Set, replaced);
            done.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue($"the reactor wakes in round {i}");
        }
    });

    private static LinuxChild NewChild(EpollReactor reactor) =>
        new(backend: null!, reactor, new LaunchOrder(new ProcessCommand("true"), null, default))
        {
            Number = 1,
            IsMarked = false,
        };

    private static unsafe LinuxChild[] Resolve(EpollReactor reactor, ulong token)
    {
        byte* memory = stackalloc byte[EpollEvents.Size];
        EpollEvents events = new(memory);
        events.Set(0, LibC.EPOLLIN, token);
        (LinuxChild Child, ulong Token)[] ready = new (LinuxChild, ulong)[1];
        int count = reactor.Resolve(events, 1, ready);
        return [.. ready.Take(count).Select(one => one.Child)];
    }
}
