using System;
using System.Diagnostics;
using System.Globalization;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class TimelineTests
{
    private const int Repetitions = 300;

    [Fact]
    public void RunTime_IsAtLeastTheChildsOwnAndAtMostTheCallers() => Guard.Run(() =>
    {
        Stopwatch watch = Stopwatch.StartNew();
        ProcessResult result = new ProcessCommand("sleep", "0.05").Run();
        TimeSpan outer = watch.Elapsed;
        result.RunTime.Should().BeGreaterThanOrEqualTo(TimeSpan.FromMilliseconds(50)).And.BeLessThanOrEqualTo(outer);
    });

    [Fact]
    public void StartTime_IsBetweenTheCallAndTheChildsFirstLook() => Guard.Run(() =>
    {
        for (int i = 0; i < Repetitions; i++)
        {
            DateTimeOffset before = DateTimeOffset.UtcNow;
            ProcessResult result = new ProcessCommand("date", "+%s.%N").Run();
            decimal seconds = decimal.Parse(result.StandardOutput.Text, CultureInfo.InvariantCulture);
            DateTimeOffset seenByChild = DateTimeOffset.UnixEpoch.AddTicks((long)(seconds * TimeSpan.TicksPerSecond));
            result.StartTime.Should().BeOnOrAfter(before).And.BeOnOrBefore(seenByChild);
            result.StartTime.Offset.Should().Be(TimeSpan.Zero);
        }
    });

    [Fact]
    public void ExitTime_IsStartPlusRunTimeAndHasPassedWhenTheResultIsThere() => Guard.Run(() =>
    {
        // The test compares two clocks: the wall clock and the monotonic clock.
        TimeSpan slewing = TimeSpan.FromTicks(100);
        for (int i = 0; i < Repetitions; i++)
        {
            ProcessResult result = new ProcessCommand("true").Run();
            DateTimeOffset after = DateTimeOffset.UtcNow;
            result.RunTime.Should().BePositive();
            result.ExitTime.Should().Be(result.StartTime + result.RunTime).And.BeOnOrBefore(after + slewing);
        }
    });
}
