using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Engines;

[OnlyOn(Systems.Unix, "the host has a process of its own by a shell")]
public sealed class SharedEngineOptionsTests
{
    [Fact]
    public void Shared_IsConfiguredOnceBeforeItsFirstChild() =>
        Guard.Run(() => HostProcess.Play("configured-shared-engine"));

    [Fact]
    public void Shared_InUse_SaysByWhom() =>
        Guard.Run(() => HostProcess.Play("configured-shared-engine", "late"));
}
