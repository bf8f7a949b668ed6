using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>Children are started by a clone of our own, and where that cannot be by posix_spawn: they are the same.</summary>
public sealed class StartRoadTests
{
    [Theory]
    [InlineData]
    [InlineData("child-signal-handled")]
    public void Starts_WhileTheRuntimeCollectsAndHandsOnSignals_AllComeOff(params string[] arguments) =>
        Guard.Run(() => HostProcess.Play("busy-runtime", arguments));

    [Fact]
    public void Starts_ByPosixSpawnWhileTheRuntimeCollectsAndHandsOnSignals_AllComeOff() =>
        Guard.Run(() => HostProcess.PlayWith("USE_POSIX_SPAWN=1 exec \"$@\"", "busy-runtime"));

    [Theory]
    [InlineData("none")]
    [InlineData("clone")]
    [InlineData("close_range")]
    public void Start_WhereASystemCallIsHidden_IsMadeTheOtherWay(string name) =>
        Guard.Run(() => HostProcess.Play("hidden-system-call", name));
}
