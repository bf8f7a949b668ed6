using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that a run whose child ends before the library looks at it ends with the right result or a typed error,
/// whichever system call fails.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepOfEndedChildrenTests
{
    [Theory]
    [InlineData("capture")]
    [InlineData("spill")]
    [InlineData("callbacks")]
    [InlineData("live")]
    [InlineData("channels")]
    [InlineData("user-callbacks")]
    public void EachCallThatFails_IsDataOrATypedError(string run) => FaultSweep.PlayEnded(run);
}
