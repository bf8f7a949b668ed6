using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that each run that looks for descendants or has a guardian is right or a typed error, whichever system
/// call fails.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepOfDescendantsTests
{
    [Theory]
    [InlineData("held")]
    [InlineData("guardian")]
    [InlineData("guardian-of-one")]
    public void EachCallThatFails_IsDataOrATypedError(string run) => FaultSweep.Play(run);
}
