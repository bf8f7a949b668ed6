using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

[OnlyOn(Systems.Linux, "limits of descriptors")]
[NativeBackend(".NET needs more descriptors for a start")]
public sealed class DescriptorLimitTests
{
    // The runtime takes descriptors to map code, and ends the process if it gets none.
    private const string QuietRuntime = "DOTNET_EnableWriteXorExecute=0 DOTNET_TieredCompilation=0 exec \"$@\"";

    [Theory]
    [InlineData("")]
    [InlineData("USE_POSIX_SPAWN=1")]
    public void Start_AtAnyLimitOfDescriptors_WorksOrIsOutOfDescriptorsAndLeavesNothing(string variable) =>
        Guard.Run(() => HostProcess.PlayWith($"{variable} {QuietRuntime}", "descriptor-limit"));

    [Fact]
    public void Start_BesideACrowdAtAnyLimitOfDescriptors_WorksOrIsOutOfDescriptorsAndLeavesNothing() =>
        Guard.Run(() => HostProcess.PlayWith($"CROWD_OF_DESCRIPTORS=1 {QuietRuntime}", "descriptor-limit"));

    [Fact]
    public void Run_WhereFewDescriptorsAreFree_DoesNotLackThoseThatTheEngineKeepsBack() =>
        Guard.Run(() => HostProcess.PlayWith(QuietRuntime, "near-descriptors-at-limit"));

    [Fact]
    public void FirstStartOfAnEngine_AtTheLimitOfDescriptors_IsOutOfDescriptors() =>
        Guard.Run(() => HostProcess.PlayWith(QuietRuntime, "engine-at-descriptor-limit"));
}
