using System.IO;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>A stop ends what the running tests need. That they fail then is no verdict.</summary>
[OnlyOn(Systems.Linux, "signals, and the hostile suites")]
public sealed class StopTests
{
    private const string Waiting = "waits-for-the-stop";

    [Theory]
    [InlineData(PosixSignal.SIGINT)]
    [InlineData(PosixSignal.SIGTERM)]
    public void ATestThatFailsByAnInterrupt_HasNotRun(PosixSignal signal) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        using ChildProcess run = Command(folder, PTestProgram.Hostile, "fails", "--timeout", "0").Start();
        Eventually.Is(() => File.Exists(folder.File(Waiting)), "the test waits for the stop");

        run.Signal(signal).Should().BeTrue();
        ProcessResult result = run.Wait();

        PTestProgram.Verdicts(result, "ProcessRunner.HostileTests.").Should()
            .Contain("EndsAtStopTests.First NOT-RUN").And.NotContain(line => line.EndsWith(" FAIL"));
        result.ExitCode.Should().Be(130);
    });

    [Fact]
    public void ATestThatFailsByTheLimitOfTheRun_HasNotRun() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Command(
            folder, PTestProgram.Hostile, "fails", "--timeout", "0", "--run-timeout", "15s").Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should()
            .Contain("EndsAtStopTests.First NOT-RUN").And.NotContain(line => line.EndsWith(" FAIL"));
        run.ExitCode.Should().Be(5, run.ToString());
    });

    /// <summary>Programs of Microsoft.Testing.Platform report after the stop, too, and end their session.</summary>
    [Fact]
    public void ATestThatFailsByItsLimit_HasTakenTooLong_AndTheNextOneRuns() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Command(folder, PTestProgram.HostileBy("MSTest"), "fails", "--timeout", "20s").Run();

        PTestProgram.Verdicts(run, "HostileMSTest.").Should().Equal(
            "EndsAtStopTests.First TIMEOUT", "EndsAtStopTests.Next PASS");
    });

    private static ProcessCommand Command(
        TemporaryFolder folder, string suite, string way, params string[] options) =>
        PTestProgram.Command(
            folder.Path, [suite, "-e", "class:EndsAtStopTests", "--isolation", "class", "-v", .. options])
            .WithEnvironment("HOSTILE_STOP", way);
}
