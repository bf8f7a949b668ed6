using System;
using FluentAssertions;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;
using Xunit;

namespace ProcessRunner.Tests.Execution;

/// <summary>Verifies a stop that is tried again.</summary>
public sealed class OwedStopTests
{
    [Theory]
    [InlineData(3, 5, 3)]
    [InlineData(5, 3, 3)]
    [InlineData(-1, 3, 3)]
    [InlineData(3, -1, 3)]
    public void Stops_KeepTheFirstCause_AndTheShortestGrace(int first, int second, int shortest)
    {
        OwedStop stop = new();
        stop.Add(StopCause.Timeout, Grace(first));
        stop.Add(StopCause.Request, Grace(second));
        stop.TryTake(stop.DueAt, out StopCause cause, out TimeSpan grace).Should().BeTrue();
        (cause, grace).Should().Be((StopCause.Timeout, Grace(shortest)));
    }

    [Fact]
    public void Stop_IsTakenOnce_AtItsInstant()
    {
        OwedStop stop = new();
        stop.DueAt.Should().Be(MonotonicClock.Never);
        long before = MonotonicClock.Now;
        stop.Add(StopCause.Timeout, TimeSpan.Zero);
        stop.DueAt.Should().BeGreaterThan(before, "a pause comes first");
        long due = stop.DueAt;
        stop.TryTake(due - 1, out _, out _).Should().BeFalse();
        stop.TryTake(due, out _, out _).Should().BeTrue();
        stop.DueAt.Should().Be(MonotonicClock.Never);
        stop.TryTake(due, out _, out _).Should().BeFalse();
    }

    // The earlier one has been made by then.
    [Fact]
    public void Stop_AfterAnother_IsItsOwn()
    {
        OwedStop stop = new();
        stop.Add(StopCause.Timeout, TimeSpan.Zero);
        stop.TryTake(stop.DueAt, out _, out _);
        stop.Add(StopCause.Request, Grace(5));
        stop.TryTake(stop.DueAt, out StopCause cause, out TimeSpan grace).Should().BeTrue();
        (cause, grace).Should().Be((StopCause.Request, Grace(5)));
    }

    // Negative: without end.
    private static TimeSpan Grace(int seconds) =>
        seconds < 0 ? System.Threading.Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(seconds);
}
