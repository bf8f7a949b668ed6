using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that each stop, each batch and each end of an engine is right or a typed error, whichever system call
/// fails.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepOfEndsTests
{
    [Theory]
    [InlineData("stop")]
    [InlineData("batch")]
    [InlineData("stopped-batch")]
    [InlineData("dispose")]
    [InlineData("dispose-batch")]
    public void EachCallThatFails_IsDataOrATypedError(string run) => FaultSweep.Play(run);
}
