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

    [FactWithRight(Right.ProcessNamespace)]
    public void Results_OfProgramThatIsPid1_AreExact() => Guard.Run(() =>
        HostProcess.PlayUnshared("--pid --fork", "closed-descriptors"));

    [FactWithRight(Right.ProcessNamespace)]
    public void Results_BesideTheProcessClassInProgramThatIsPid1_AreExactOrLostAndNeverHang() => Guard.Run(() =>
        HostProcess.PlayUnshared("--pid --fork", "beside-process-class"));
}
