using System;
using System.Diagnostics;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Primitives;
using Xunit;

namespace ProcessRunner.Tests.Backends.Primitives;

public sealed class MonotonicClockTests
{
    private static readonly long s_millisecond = Stopwatch.Frequency / 1000;

    [Fact]
    public void After_ATimeTooLongToCount_IsNever()
    {
        MonotonicClock.In(TimeSpan.MaxValue).Should().Be(MonotonicClock.Never);
        MonotonicClock.After(1000, TimeSpan.FromMilliseconds(1)).Should().Be(1000 + s_millisecond);
        MonotonicClock.After(1000, TimeSpan.Zero).Should().Be(1000);
    }

    [Fact]
    public void Until_IsZeroForThePastAndInfiniteForNever()
    {
        MonotonicClock.Until(MonotonicClock.Now - 1).Should().Be(TimeSpan.Zero);
        MonotonicClock.Until(MonotonicClock.Never).Should().Be(Timeout.InfiniteTimeSpan);
        MonotonicClock.Until(MonotonicClock.Now + (1_000_000 * s_millisecond)).Should().BePositive();
    }

    [Fact]
    public void MillisecondsUntil_RoundsUpAndNeverEndsEarly()
    {
        const long Now = 5_000;
        MonotonicClock.MillisecondsUntil(Now, Now).Should().Be(0);
        MonotonicClock.MillisecondsUntil(Now - 1, Now).Should().Be(0);
        MonotonicClock.MillisecondsUntil(Now + 1, Now).Should().Be(1);
        MonotonicClock.MillisecondsUntil(Now + s_millisecond, Now).Should().Be(1);
        MonotonicClock.MillisecondsUntil(Now + s_millisecond + 1, Now).Should().Be(2);
        MonotonicClock.MillisecondsUntil(MonotonicClock.Never - 1, Now).Should().Be(int.MaxValue);
    }
}
