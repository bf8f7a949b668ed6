using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that each run ends with the right result or a typed error, whichever system call fails.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepOfRunsTests
{
    [Theory]
    [InlineData("capture")]
    [InlineData("async")]
    [InlineData("spill")]
    [InlineData("callbacks")]
    [InlineData("input")]
    [InlineData("written-input")]
    [InlineData("live")]
    [InlineData("channels")]
    [InlineData("settings")]
    [InlineData("pipeline")]
    [InlineData("async-pipeline")]
    [InlineData("executor")]
    public void EachCallThatFails_IsDataOrATypedError(string run) => FaultSweep.Play(run);
}
