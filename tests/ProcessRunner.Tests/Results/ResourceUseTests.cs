using System;
using System.Globalization;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

[OnlyOn(Systems.Linux, "what the kernel counts for a child")]
[NativeBackend(".NET keeps nothing that the kernel has counted for a child")]
public sealed class ResourceUseTests
{
    // The shell's own report is rounded to hundredths of a second, as the kernel's ticks may be.
    private static readonly TimeSpan s_rounding = TimeSpan.FromMilliseconds(40);

    [Fact]
    public void ProcessorTime_OfBusyChild_IsAtLeastItsOwnReportAndAtMostItsRunTime() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times").Run();
        string own = result.StandardOutput.Lines()[0];
        TimeSpan reported = own.Split(' ').Aggregate(TimeSpan.Zero, (sum, time) => sum + ParseTime(time));
        TimeSpan measured = result.UserProcessorTime + result.PrivilegedProcessorTime;
        result.UserProcessorTime.Should().BePositive();
        measured.Should().BeGreaterThanOrEqualTo(reported - s_rounding).And.BeLessThanOrEqualTo(
            result.RunTime + s_rounding);
    });

    [Fact]
    public void ProcessorTime_OfIdleChild_IsMuchLessThanItsRunTime() => Guard.Run(() =>
    {
        ProcessResult result = new ProcessCommand("sleep", "0.2").Run();
        (result.UserProcessorTime + result.PrivilegedProcessorTime).Should().BeLessThan(TimeSpan.FromMilliseconds(150));
    });

    [Fact]
    public void ProcessorTime_OfGrandchildThatWasWaitedFor_Counts() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell(
            "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; exit 0").Run();
        result.UserProcessorTime.Should().BePositive();
    });

    [Fact]
    public void PeakWorkingSet_OfLargeChild_IsCounted() => Guard.Run(() => HostProcess.Play("peak-memory"));

    // The text has the form 0m0.120000s.
    private static TimeSpan ParseTime(string text)
    {
        string[] parts = text.TrimEnd('s').Split('m');
        return TimeSpan.FromMinutes(int.Parse(parts[0], CultureInfo.InvariantCulture))
            + TimeSpan.FromSeconds(double.Parse(parts[1], CultureInfo.InvariantCulture));
    }
}
