using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Parents;

[OnlyOn(Systems.Linux, "waitpid(2), with which others can take a status")]
[NativeBackend(".NET reaps the children itself")]
public sealed class CoResidentTests
{
    [Fact]
    public void Results_BesideTheProcessClass_AreExact() => Guard.Run(() => HostProcess.Play("beside-process-class"));

    [Fact]
    public void Results_OfProgramThatIsPid1_AreExact() => Guard.Run(() =>
    {
        // The test requires the right to create a PID namespace.
        if (new ProcessCommand("unshare", "--pid", "--fork", "true").Run().IsSuccess)
        {
            HostProcess.PlayWith("exec unshare --pid --fork \"$@\"", "closed-descriptors");
        }
    });

    [Fact]
    public void Results_BesideTheProcessClassInProgramThatIsPid1_AreExactOrLostAndNeverHang() => Guard.Run(() =>
    {
        if (new ProcessCommand("unshare", "--pid", "--fork", "true").Run().IsSuccess)
        {
            HostProcess.PlayWith("exec unshare --pid --fork \"$@\"", "beside-process-class");
        }
    });
}
