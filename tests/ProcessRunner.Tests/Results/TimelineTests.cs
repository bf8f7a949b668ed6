using System;
using System.Diagnostics;
using System.Globalization;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class TimelineTests
{
    private static readonly int s_repetitions = Crowd.Of(300);

    [Fact]
    public void RunTime_IsAtLeastTheChildsOwnAndAtMostTheCallers() => Guard.Run(() =>
    {
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = TestPrograms.Quick("sleep", "50").Run();
        TimeSpan outer = watch.Elapsed;
        result.RunTime.Should().BeGreaterThanOrEqualTo(TimeSpan.FromMilliseconds(50)).And.BeLessThanOrEqualTo(outer);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "date(1) of GNU tells nanoseconds")]
    public void StartTime_IsBetweenTheCallAndTheChildsFirstLook() => Guard.Run(() => SteadyClock.During(() =>
    {
        for (int i = 0; i < s_repetitions; i++)
        {
            DateTimeOffset before = DateTimeOffset.UtcNow;
            ProcessResult result = new ProcessCommand("date", "+%s.%N").Run();
            decimal seconds = decimal.Parse(result.StandardOutput.Text, CultureInfo.InvariantCulture);
            DateTimeOffset seenByChild = DateTimeOffset.UnixEpoch.AddTicks((long)(seconds * TimeSpan.TicksPerSecond));
            result.StartTime.Should().BeOnOrAfter(before).And.BeOnOrBefore(seenByChild);
            result.StartTime.Offset.Should().Be(TimeSpan.Zero);
        }
    }));

    [Fact]
    public void ExitTime_IsStartPlusRunTimeAndHasPassedWhenTheResultIsThere() =>
        Guard.Run(() => SteadyClock.During(() =>
    {
        // The test compares two clocks: the wall clock and the monotonic clock.
        TimeSpan slewing = TimeSpan.FromTicks(100);
        for (int i = 0; i < s_repetitions; i++)
        {
            ProcessResult result = TestPrograms.Quick().Run();
            DateTimeOffset after = DateTimeOffset.UtcNow;
            result.RunTime.Should().BePositive();
            result.ExitTime.Should().Be(result.StartTime + result.RunTime).And.BeOnOrBefore(after + slewing);
        }
    }));
}
