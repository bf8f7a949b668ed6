using System;
using System.Diagnostics;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "the end of a process by SIGKILL, and processes found in /proc")]
public sealed class RunnerEndTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    /// <summary>Only its guardian is left to end the processes of the tests, and what those left behind.</summary>
    [Fact]
    public void ARunnerThatIsKilled_LeavesNoProcess() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        using ChildProcess run = (PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "--isolation", "assembly", "--timeout", "0",
            "-e", "class:LeakInS or class:EndlessTests") with
        {
            // The library must not do what is under test.
            Descendants = DescendantPolicy.Leave,
        }).Start();
        string folderName = System.IO.Path.GetFileName(folder.Path);
        SpinWait.SpinUntil(() => Processes.With("sleep 1000.75").Count > 0, s_patience).Should().BeTrue();
        SpinWait.SpinUntil(() => Processes.With("sleep 1000.5").Count > 0, s_patience).Should().BeTrue();
        Processes.With(folderName).Count.Should().BeGreaterThanOrEqualTo(4, "the runner, a host and two leaks run");

        using (Process runner = Process.GetProcessById(run.ProcessId))
        {
            runner.Kill();
        }

        run.Wait().SignalNumber.Should().Be(9);

        SpinWait.SpinUntil(() => Processes.With(folderName).Count == 0, s_patience).Should().BeTrue();
    });
}
