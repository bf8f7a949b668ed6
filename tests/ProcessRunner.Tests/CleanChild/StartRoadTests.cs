using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// Verifies that children are the same whether our own clone or, where that is impossible, posix_spawn starts them.
/// </summary>
[OnlyOn(Systems.Linux, "clone(2) and posix_spawn(3)")]
[NativeBackend("the two ways in which the Linux backend starts a child")]
public sealed class StartRoadTests
{
    [Theory]
    [InlineData("")]
    [InlineData("USE_POSIX_SPAWN=1")]
    public void Starts_OnManyThreads_AllComeOffOrTellWhy(string variable) =>
        Guard.Run(() => HostProcess.PlayWith($"{variable} exec \"$@\"", "many-starts"));

    [Theory]
    [InlineData]
    [InlineData("child-signal-handled")]
    public void Starts_WhileTheRuntimeCollectsAndHandsOnSignals_AllComeOff(params string[] arguments) =>
        Guard.Run(() => HostProcess.Play("busy-runtime", arguments));

    [Fact]
    public void Starts_ByPosixSpawnWhileTheRuntimeCollectsAndHandsOnSignals_AllComeOff() =>
        Guard.Run(() => HostProcess.PlayWith("USE_POSIX_SPAWN=1 exec \"$@\"", "busy-runtime"));

    // The child is stopped while it opens the FIFO that is its input, and is woken so that it can continue.
    [Fact]
    public void Start_ByPosixSpawn_WhoseChildIsStoppedBeforeItsProgram_ComesOff() =>
        Guard.Run(() => HostProcess.PlayWith("USE_POSIX_SPAWN=1 exec \"$@\"", "stopped-start"));

    [Theory]
    [InlineData("Own", "")]
    [InlineData("Session", "")]
    [InlineData("Own", "USE_POSIX_SPAWN=1")]
    public void Starts_WhileOurGroupIsStoppedAndGoesOnAgainAndAgain_AllReturn(string mode, string variable) =>
        Guard.Run(() => HostProcess.PlayWith($"{variable} exec \"$@\"", "stopped-group", mode));

    [Theory]
    [InlineData("none")]
    [InlineData("clone")]
    [InlineData("close_range")]
    [InlineData("64")]
    public void Start_WhereASystemCallIsHidden_IsMadeTheOtherWay(string name) =>
        Guard.Run(() => HostProcess.Play("hidden-system-call", name));

    // The runtime takes descriptors to map code, and ends the process if it gets none.
    [Fact]
    public void FirstStart_WithTooFewDescriptorsForTheFastWay_DoesNotRuleItOut() =>
        Guard.Run(() => HostProcess.PlayWith(
            "DOTNET_EnableWriteXorExecute=0 DOTNET_TieredCompilation=0 exec \"$@\"", "self-test-at-descriptor-limit"));

    // By posix_spawn there is no such setting.
    [Theory]
    [InlineData("runs")]
    [InlineData("batch")]
    public void FirstStart_ThatLacksAProcess_DoesNotRuleOutASetting(string starts) =>
        Guard.Run(() => HostProcess.PlayWith("unset USE_POSIX_SPAWN; exec \"$@\"", "first-clone", starts));

    // HUP, INT, QUIT, USR1, USR2, TERM, CONT, TSTP, TTIN, TTOU, WINCH: the signals that terminals and groups receive.
    [Theory]
    [InlineData("Own", "1,2,3,10,12,15,18,20,21,22,28")]
    [InlineData("Session", "1,2,3,10,12,15,18,20,21,22,28")]
    [InlineData("Own", "20")]
    public void Starts_UnderAStormOfSignalsToOurGroup_GiveChildrenThatNoneReaches(string mode, string signals) =>
        Guard.Run(() => HostProcess.Play("signal-storm", mode, signals));

    [Theory]
    [InlineData("Inherit", "20")]
    [InlineData("Inherit", "2,15,20,21,22")]
    public void Starts_OfMembersOfOurGroup_UnderAStormOfSignalsToIt_AllReturn(string mode, string signals) =>
        Guard.Run(() => HostProcess.Play("signal-storm", mode, signals));
}
