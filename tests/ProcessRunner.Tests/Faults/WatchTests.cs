using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>Verifies a kernel that has no further watch for the descriptors of a running child.</summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class WatchTests
{
    [Fact]
    public void Children_ThatRunWhenTheWatchesAreUsedUp_GoOn() => Guard.Run(() => HostProcess.Play("no-more-watches"));

    [Fact]
    public void Start_OfAChildThatCanBeNeitherWatchedNorKilled_IsOverInALimitedTime() =>
        Guard.Run(() => HostProcess.Play("unkillable-child"));
}
