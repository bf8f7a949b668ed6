using System;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Capture;

/// <summary>Verifies that the memory of captures has a bound, however much the children write.</summary>
public sealed class MemoryOfCapturesTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void FiftyGibibytesOfTwoHundredChildren_WithLimits_KeepTheMemoryWithinTheBudget() => Guard.Run(
        TimeSpan.FromMinutes(15), () => HostProcess.Play("memory-of-captures"));
}
