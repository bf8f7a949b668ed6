using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

[OnlyOn(Systems.Linux, "limits of descriptors")]
[NativeBackend(".NET needs more descriptors for a start")]
public sealed class DescriptorLimitTests
{
    [Theory]
    [InlineData("")]
    [InlineData("USE_POSIX_SPAWN=1")]
    public void Start_AtAnyLimitOfDescriptors_WorksOrIsOutOfDescriptorsAndLeavesNothing(string variable) =>
        Guard.Run(() => HostProcess.PlayWith($"{variable} {HostProcess.QuietRuntime}", "descriptor-limit"));

    [Fact]
    public void Start_BesideACrowdAtAnyLimitOfDescriptors_WorksOrIsOutOfDescriptorsAndLeavesNothing() =>
        Guard.Run(() => HostProcess.PlayWith($"CROWD_OF_DESCRIPTORS=1 {HostProcess.QuietRuntime}", "descriptor-limit"));

    [Fact]
    public void Run_WhereFewDescriptorsAreFree_DoesNotLackThoseThatTheEngineKeepsBack() =>
        Guard.Run(() => HostProcess.PlayWith(HostProcess.QuietRuntime, "near-descriptors-at-limit"));

    [Theory]
    [InlineData("")]
    [InlineData("USE_POSIX_SPAWN=1")]
    public void Starts_ThatTakeAllDescriptors_LeaveTheRuntimeThoseForAThread(string variable) =>
        Guard.Run(() => HostProcess.PlayWith($"{variable} {HostProcess.QuietRuntime}", "runtime-at-descriptor-limit"));

    [Fact]
    public void FirstStartOfAnEngine_AtTheLimitOfDescriptors_IsOutOfDescriptors() =>
        Guard.Run(() => HostProcess.PlayWith(HostProcess.QuietRuntime, "engine-at-descriptor-limit"));
}
