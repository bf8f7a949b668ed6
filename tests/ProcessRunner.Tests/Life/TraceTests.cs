using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that the witness of live processes overlooks none; otherwise, tests that rely on it would fail now and
/// then.
/// </summary>
[OnlyOn(Systems.Linux, "process groups and /proc")]
public sealed class TraceTests
{
    [Fact]
    public void Live_WhileOneExecutesProgramsAllTheTime_AlwaysSeesIt() => Guard.Run(() =>
    {
        using Trace trace = new();
        using TemporaryDirectory directory = new();
        string script = directory.File("again", "exec /bin/sh \"$0\"\n");
        using ChildProcess child =
            (new ProcessCommand("/bin/sh", script) with { Environment = trace.Variables }).Start();
        for (int look = 0; look < 2000; look++)
        {
            trace.IsCarriedBy(child.ProcessId).Should().BeTrue($"it lives at look {look}");
        }

        child.Kill();
    });
}
