using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>The threads on which user code is called, where the system or the user code itself is against them.</summary>
public sealed class DeliveryThreadTests
{
    [Fact]
    public void Receivers_ForWhichNoThreadCanBeMade_AreCalledByThoseThatLive() =>
        Guard.Run(() => HostProcess.Play("no-more-threads"));

    [Fact]
    public void Receivers_WhoseThreadIsInterrupted_LoseNothingOfOthers() =>
        Guard.Run(() => HostProcess.Play("interrupted-receivers"));
}
