using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "the end of a process by SIGKILL, and processes found in /proc")]
public sealed class RunnerEndTests
{
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
        Eventually.Is(() => Processes.With("sleep 1000.75", folder).Count > 0, "one leak runs");
        Eventually.Is(() => Processes.With("sleep 1000.5", folder).Count > 0, "the other leak runs");
        Processes.With(folderName).Count.Should().BeGreaterThanOrEqualTo(4, "the runner, a host and two leaks run");

        using (Process runner = Process.GetProcessById(run.ProcessId))
        {
            runner.Kill();
        }

        run.Wait().SignalNumber.Should().Be(9);

        Eventually.Is(() => Processes.With(folderName).Count == 0, "all processes have ended");
    });

    /// <summary>A build server that cancels a job sends one of the two, and kills only later.</summary>
    [Theory]
    [InlineData(PosixSignal.SIGINT)]
    [InlineData(PosixSignal.SIGTERM)]
    public void ARunThatIsEnded_WritesItsReports_AndLeavesNoProcess(PosixSignal signal) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        using ChildProcess run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "--isolation", "class", "--timeout", "0", "-j", "2",
            "-e", "class:EndlessTests or method:Row_Passes", "--report", "json:e.jsonl", "--report", "junit:j.xml")
            .Start();
        Eventually.Is(() => Settled(folder.File("e.jsonl")) == 2, "the tests of one class have ended");

        run.Signal(signal).Should().BeTrue();
        ProcessResult result = run.Wait();

        result.ExitCode.Should().Be(130, result.ToString());
        new RunEvents(folder.File("e.jsonl")).Of("run-ended").Should().ContainSingle()
            .Which.GetProperty("isInterrupted").GetBoolean().Should().BeTrue();
        XDocument.Load(folder.File("j.xml")).Descendants("testcase").Should().HaveCount(5);
        Eventually.Is(
            () => Processes.With(System.IO.Path.GetFileName(folder.Path)).Count == 0, "all processes have ended");
    });

    private static int Settled(string path) =>
        System.IO.File.Exists(path) ? System.IO.File.ReadAllText(path).Split("\"verdict\":\"PASS\"").Length - 1 : 0;
}
