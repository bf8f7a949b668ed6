using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that each run whose children start by <c>posix_spawn</c> ends with the right result or a typed error.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepByPosixSpawnTests
{
    [Theory]
    [InlineData("capture")]
    [InlineData("stop")]
    [InlineData("batch")]
    [InlineData("channels")]
    public void EachCallThatFails_IsDataOrATypedError(string run) => FaultSweep.PlayByPosixSpawn(run);
}
