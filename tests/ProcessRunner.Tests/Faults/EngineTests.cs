using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>An engine for which the system has not all that it begins with.</summary>
public sealed class EngineTests
{
    [Fact]
    public void Engine_WhoseThreadsCannotBeMade_FailsTheStartAndLeavesNothing() =>
        Guard.Run(() => HostProcess.Play("engine-at-thread-limit"));
}
