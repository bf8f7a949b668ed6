using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Verifies the threads that call user code when the system or the user code itself works against them.
/// </summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class DeliveryThreadTests
{
    [Fact]
    public void Receivers_ForWhichNoThreadCanBeMade_AreCalledByThoseThatLive() =>
        Guard.Run(() => HostProcess.Play("no-more-threads"));

    [Fact]
    public void Receivers_WhoseThreadIsInterrupted_LoseNothingOfOthers() =>
        Guard.Run(() => HostProcess.Play("interrupted-receivers"));
}
