using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Execution.Telemetry;

/// <summary>Verifies the publication of the instruments, which happens once in a process.</summary>
[OnlyOn(Systems.Linux, "a scenario of the test host")]
public sealed class FirstListenerTests
{
    [Fact]
    public void Listener_ThatThrowsAtThePublication_HarmsNoRun() =>
        Guard.Run(() => HostProcess.Play("first-listener", "throws"));

    [Fact]
    public void Publication_InABatch_IsOnADeliveryThreadAndHoldsUpNoOtherRun() =>
        Guard.Run(() => HostProcess.Play("first-listener", "runs"));
}
