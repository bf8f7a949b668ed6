using System;
using System.Collections.Generic;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using Xunit;

namespace ProcessRunner.Tests.Backends;

/// <summary>Verifies a timer without the thread that keeps it.</summary>
public sealed class KeptTimerTests
{
    private readonly Keeper _keeper = new();

    // Otherwise it would expire before the deadlines of all children, again and again.
    [Fact]
    public void Instant_InThePast_IsNow()
    {
        using KeptTimer timer = new(_keeper, _ => { });
        long before = MonotonicClock.Now;
        timer.Set(before - 1000);
        timer.Deadline.Should().BeInRange(before, MonotonicClock.Now);
        timer.Set(MonotonicClock.Never - 1);
        timer.Deadline.Should().Be(MonotonicClock.Never - 1);
    }

    // The thread may have taken the deadline already.
    [Fact]
    public void Timer_ThatIsDisposed_ExpiresNoMore()
    {
        int expired = 0;
        KeptTimer timer = new(_keeper, _ => expired++);
        timer.OnDeadline();
        timer.Dispose();
        timer.OnDeadline();
        expired.Should().Be(1);
        _keeper.Entries.Should().BeEmpty();
    }

    [Fact]
    public void Expiry_ThatLacksMemory_ComesAgain()
    {
        int expired = 0;
        using KeptTimer timer = new(_keeper, _ =>
        {
            if (expired++ == 0)
            {
                throw new InsufficientMemoryException();
            }
        });
        long before = MonotonicClock.Now;
        timer.OnDeadline();
        timer.Deadline.Should().BeInRange(before + 1, MonotonicClock.Never - 1);
        timer.Deadline = MonotonicClock.Never;
        timer.OnDeadline();
        (expired, timer.Deadline).Should().Be((2, MonotonicClock.Never));
    }

    private sealed class Keeper : IDeadlineKeeper
    {
        public HashSet<TimedEntry> Entries { get; } = [];

        public void Admit(TimedEntry entry) => Entries.Add(entry);

        public void Dismiss(TimedEntry entry) => Entries.Remove(entry);

        public void SetDeadline(TimedEntry entry, long instant) => entry.Deadline = instant;
    }
}
