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
    private const string ByPosixSpawn = "USE_POSIX_SPAWN=1 exec \"$@\"";

    [Fact]
    public void Children_ThatRunWhenTheWatchesAreUsedUp_GoOn() => Guard.Run(() => HostProcess.Play("no-more-watches"));

    [Fact]
    public void Start_OfAChildThatCanBeNeitherWatchedNorKilled_IsOverInALimitedTime() =>
        Guard.Run(() => HostProcess.Play("unkillable-child", "epoll_ctl EPOLL_CTL_ADD"));

    [Fact]
    public void Start_OfAChildThatHasNoPidFdAndCannotBeKilled_IsOverInALimitedTime() =>
        Guard.Run(() => HostProcess.PlayWith(ByPosixSpawn, "unkillable-child", "pidfd_open"));

    [Theory]
    [InlineData("exec \"$@\"")]
    [InlineData(ByPosixSpawn)]
    public void Start_OfAChildThatHasNoPidFd_RunsItsProgramOnceAtMost(string script) =>
        Guard.Run(() => HostProcess.PlayWith(script, "program-without-pidfd"));

    [Theory]
    [InlineData("exec \"$@\"")]
    [InlineData(ByPosixSpawn)]
    public void Start_OfAChildThatHasNoPidFdForAMoment_Succeeds(string script) =>
        Guard.Run(() => HostProcess.PlayWith(script, "moment-without-pidfd"));

    [Fact]
    public void Start_OfAChildThatCanBeNeitherWatchedNorKilled_HoldsUpNoOtherChildOfTheReactor() =>
        Guard.Run(() => HostProcess.Play("unkillable-child-beside-others"));
}
