using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>Verifies what Windows counts for a child.</summary>
[OnlyOn(Systems.Windows, "what Windows counts for a child")]
[NotUnderWine("it counts nothing for a child")]
public sealed class WindowsResourceUseTests
{
    private const int Megabyte = 1 << 20;

    [Fact]
    public void ProcessorTime_OfABusyChild_Counts() => Guard.Run(() =>
    {
        ProcessResult result = Busy().Run().EnsureSuccess();
        (result.UserProcessorTime + result.PrivilegedProcessorTime).Should().BePositive();
    });

    [Fact]
    [NativeBackend(".NET keeps nothing that the kernel has counted for a child")]
    public void ProcessorTime_OfADescendant_Counts() => Guard.Run(() =>
    {
        ProcessCommand busy = Busy();
        ProcessCommand parent = TestPrograms.Quick(["spawn", .. busy.Arguments, "end", "wait"]);
        ProcessResult result = (parent with { StandardOutput = busy.StandardOutput }).Run().EnsureSuccess();
        (result.UserProcessorTime + result.PrivilegedProcessorTime).Should().BePositive();
    });

    [Fact]
    [NativeBackend(".NET keeps nothing that the kernel has counted for a child")]
    public void PeakWorkingSet_IsThatOfTheChildAlone() => Guard.Run(() =>
        TestPrograms.Child("echo", "x").Run().EnsureSuccess().PeakWorkingSet.Should().BeGreaterThan(Megabyte));

    // It takes much longer than the clock by which Windows counts, 16 ms.
    private static ProcessCommand Busy() =>
        TestPrograms.Quick("fill", $"{1000L * Megabyte}") with { StandardOutput = OutputTarget.Null };
}
