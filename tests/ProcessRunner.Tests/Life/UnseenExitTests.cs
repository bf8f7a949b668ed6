using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies the end of a child that this process sees late.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class UnseenExitTests
{
    [Fact]
    public void Stop_AfterAnExitThatNobodyHasSeen_IsNotItsCause() => Guard.Run(() => HostProcess.Play("unseen-exit"));
}
