using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Executors;

/// <summary>Holds the managed memory that a child costs.</summary>
public sealed class AllocationTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    [NativeBackend("the class Process costs more")]
    public void RunAndBatch_AllocateNoMoreThanPromised() => Guard.Run(() => HostProcess.Play("memory-of-a-run"));
}
