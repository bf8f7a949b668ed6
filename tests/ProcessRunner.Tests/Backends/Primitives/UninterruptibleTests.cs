using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Primitives;

/// <summary>
/// Verifies that the library's work on a user's thread continues in spite of <see cref="Thread.Interrupt"/>.
/// </summary>
public sealed class UninterruptibleTests
{
    [Fact]
    public void Lock_ThatAnotherHolds_IsTakenInSpiteOfAnInterruptWhichStaysPending() => Guard.Run(() =>
    {
        object gate = new();
        bool isFree = false;
        bool wasFree = false;
        Exception? thrown = null;
        Thread thread = new(() =>
        {
            using (Uninterruptible.Lock(gate))
            {
                wasFree = Volatile.Read(ref isFree);
            }

            thrown = Record.Exception(() => Thread.Sleep(Timeout.Infinite));
        });
        lock (gate)
        {
            thread.Start();
            thread.Interrupt();
            Eventually.Is(() => thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin), "it waits for the lock");
            thread.Interrupt();
            Volatile.Write(ref isFree, true);
        }

        thread.Join();
        wasFree.Should().BeTrue();
        thrown.Should().BeOfType<ThreadInterruptedException>();
    });

    // A long wait can meet any number of interrupts. The stack is a small one.
    [Fact]
    public void Action_ThatIsInterruptedVeryOften_NeedsNoStackForIt() => Guard.Run(() =>
    {
        int begun = 0;
        Thread thread = new(
            () => Uninterruptible.Do(20_000, times =>
            {
                if (++begun < times)
                {
                    throw new ThreadInterruptedException();
                }
            }),
            maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();
        begun.Should().Be(20_000);
    });

    [Fact]
    public void Action_ThatIsInterrupted_IsBegunAnewUntilItIsDone() => Guard.Run(() =>
    {
        int begun = 0;
        Thread.CurrentThread.Interrupt();
        Uninterruptible.Do(3, times =>
        {
            if (++begun < times)
            {
                Thread.CurrentThread.Interrupt();
            }

            Thread.Sleep(1);
        });
        begun.Should().Be(3);
        Record.Exception(() => Thread.Sleep(Timeout.Infinite)).Should().BeOfType<ThreadInterruptedException>();
    });
}
