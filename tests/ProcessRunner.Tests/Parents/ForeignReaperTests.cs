using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Parents;

[OnlyOn(Systems.Linux, "waitpid(2), with which others can take a status")]
[NativeBackend(".NET reaps the children itself")]
public sealed class ForeignReaperTests
{
    [Fact]
    public void Results_BesideThreadThatWaitsForAnyChild_AreExactOrLostAndNeverHang() =>
        Guard.Run(() => HostProcess.Play("foreign-reaper"));

    [Fact]
    public void Results_WithChildSignalIgnored_AreExactOrLostAndNeverHang() =>
        Guard.Run(() => HostProcess.Play("ignored-child-signal"));
}
