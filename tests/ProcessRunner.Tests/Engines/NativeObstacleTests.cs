using System.Collections.Generic;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Engines;

/// <summary>Verifies what an engine tells if its system lacks what the native backend needs.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[NativeBackend("the Linux backend itself")]
public sealed class NativeObstacleTests
{
    private const int ENOSYS = 38;

    [Theory]
    [InlineData(EngineBackend.Auto, true, true)]
    [InlineData(EngineBackend.Auto, false, false)]
    [InlineData(EngineBackend.Portable, true, false)]
    public void Trace_BeginsWithTheReason_IfNobodyAskedForThePortableBackend(
        EngineBackend backend, bool isOld, bool isTold) => Guard.Run(() =>
    {
        List<string> traced = [];
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = backend, Trace = traced.Add });
        FaultPoint.Decide = name => isOld && name == "pidfd_open" ? ENOSYS : 0;
        try
        {
            engine.Backend.Should().Be(isOld ? EngineBackend.Portable : EngineBackend.Native);
            TestPrograms.Quick("return", "1").Run(engine);
            TestPrograms.Quick("return", "2").Run(engine);
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        traced.Should().HaveCount(isTold ? 3 : 2);
        traced[0].StartsWith("# the portable backend runs the children: ").Should().Be(isTold);
        traced[^2].Should().EndWith("return 1");
        traced[^1].Should().EndWith("return 2");
    });
}
