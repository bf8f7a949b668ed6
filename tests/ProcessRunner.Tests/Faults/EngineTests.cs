using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>Verifies an engine for which the system lacks a resource at its beginning.</summary>
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class EngineTests
{
    [Fact]
    public void Engine_WhoseThreadsCannotBeMade_FailsTheStartAndLeavesNothing() =>
        Guard.Run(() => HostProcess.Play("engine-at-thread-limit"));
}
