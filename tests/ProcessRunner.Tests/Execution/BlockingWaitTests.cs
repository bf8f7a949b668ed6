using System;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Execution;

/// <summary>Verifies the blocking wait for a task. On a thread of the pool it takes another road.</summary>
public sealed class BlockingWaitTests
{
    private readonly Task _never = new TaskCompletionSource().Task;

    [Theory]
    [InlineData(9_000, false)]
    [InlineData(9_000, true)]
    [InlineData(15_001, false)]
    [InlineData(15_001, true)]
    public void Limit_ThatIsNoWholeMillisecond_PassesNoSooner(long ticks, bool isOfPool) => Guard.Run(() =>
    {
        for (int i = 0; i < 50; i++)
        {
            TimeSpan waited = isOfPool ? Task.Run(() => WaitFor(ticks)).Result : WaitFor(ticks);
            waited.Should().BeGreaterThanOrEqualTo(TimeSpan.FromTicks(ticks));
        }
    });

    [Fact]
    public void Limit_OfZero_OnlyLooks() => Guard.Run(() =>
    {
        BlockingWait.For(_never, TimeSpan.Zero).Should().BeFalse();
        BlockingWait.For(Task.CompletedTask, TimeSpan.Zero).Should().BeTrue();
        BlockingWait.For(Task.CompletedTask, TimeSpan.MaxValue).Should().BeTrue();
    });

    private TimeSpan WaitFor(long ticks)
    {
        long begin = MonotonicClock.Now;
        BlockingWait.For(_never, TimeSpan.FromTicks(ticks)).Should().BeFalse();
        return MonotonicClock.Between(begin, MonotonicClock.Now);
    }
}
