using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the wait for an exit, which takes memory of .NET.</summary>
[Collection(Alone.Name)]
public sealed class PortableExitTests
{
    private const int Failed = 1;

    [Fact]
    public void Wait_ThatFindsNoMemory_BeginsAgain() => Guard.Run(() =>
    {
        const int Failures = 5;
        int waits = 0;
        FaultPoint.Decide =
            call => call == "Process.WaitForExit" && Interlocked.Increment(ref waits) <= Failures ? Failed : 0;
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
            ProcessResult result = TestPrograms.Quick("echo", "text", "return", "7").Run(engine);
            result.ExitCode.Should().Be(7);
            result.StandardOutput.Text.Should().Be("text\n");
            waits.Should().BeGreaterThan(Failures);
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    });
}
