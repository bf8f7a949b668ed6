using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies that the code of users that a run calls gets the right data or a typed error, whichever system call
/// fails.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class FaultSweepOfUserCodeTests
{
    [Theory]
    [InlineData("user-callbacks")]
    [InlineData("user-input")]
    [InlineData("user-stop")]
    [InlineData("user-batch")]
    [InlineData("user-pipeline")]
    [InlineData("user-lines")]
    public void EachCallThatFails_IsDataOrATypedError(string run) => FaultSweep.Play(run);
}
