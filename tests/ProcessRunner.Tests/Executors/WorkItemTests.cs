using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Executors;

/// <summary>Verifies that the ThreadPool, which is free, gets nothing to do.</summary>
public sealed class WorkItemTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void RunsAndBatches_NeedNoWorkItemOfThePool() => Guard.Run(() => HostProcess.Play("work-items"));
}
