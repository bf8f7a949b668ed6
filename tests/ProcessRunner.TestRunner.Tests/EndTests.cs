using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies what is told of tests that have passed in a process that ends badly afterwards.</summary>
[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public sealed class EndTests
{
    private const string Prefix = "ProcessRunner.HostileTests.";

    /// <summary>Nothing has seen the process before the end: only its parent, which has ended since.</summary>
    [Theory]
    [InlineData("hang", "TIMEOUT")]
    [InlineData("exit", "EXIT")]
    [InlineData("crash", "CRASH")]
    public void ALeakBeforeAFailureOfAFixture_IsThatOfItsTest(string way, string verdict) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:LeakAtEndTests", "--isolation", "class",
            "--timeout", "20s", "-v").WithEnvironment("HOSTILE_CLEANUP", way).Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal(
            $"LeakAtEndTests (cleanup) {verdict}", "LeakAtEndTests.Leaks LEAK", "LeakAtEndTests.Other PASS");
        run.StandardOutput.Text.Should().MatchRegex(@"left behind: .*sleep 1000\.125");
        Processes.With("sleep 1000.125", folder).Should().BeEmpty();
    });

    /// <summary>Programs of Microsoft.Testing.Platform do not look for processes after each test.</summary>
    [Fact]
    public void ALeakBeforeATestThatHangs_IsThatOfItsTest() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("MSTest"), "-e", "class:LeakTests", "--isolation", "class",
            "--timeout", "20s", "-v").WithEnvironment("HOSTILE_OTHER", "hang").Run();

        PTestProgram.Verdicts(run, "HostileMSTest.").Should().Equal(
            "LeakTests.Before_Passes PASS", "LeakTests.Leaks LEAK", "LeakTests.Other_Passes TIMEOUT");
    });

    /// <summary>Microsoft.Testing.Platform tells what fails behind the tests by the exit code alone.</summary>
    [Theory]
    [InlineData("10", "assembly")]
    [InlineData("2", "class")]
    [InlineData("8", "test")]
    public void AnExitCodeThatNoTestExplains_IsNoPass(string exitCode, string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("MSTest"), "-e", "class:ExitCodeTests", "--isolation", isolation, "-v")
            .WithEnvironment("HOSTILE_EXIT_CODE", exitCode).Run();

        PTestProgram.Verdicts(run, "HostileMSTest.").Should().Equal(
            ["ExitCodeTests (cleanup) EXIT", "ExitCodeTests.Passes PASS"], run.ToString());
        run.StandardOutput.Text.Should().Contain(
            $"the process ended with exit code {exitCode}, after the tests");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>By then the hook has told its last event.</summary>
    [Theory]
    [InlineData("crash", "CRASH", "SIGABRT ended the process, after the tests")]
    [InlineData("exit", "EXIT", "the process ended with exit code 3, after the tests")]
    [InlineData("hang", "TIMEOUT", "the process did not end within 10 s, after the tests")]
    public void WhatATestLeavesToTheEndOfItsProcess_IsNoPass(string way, string verdict, string told) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:ProcessEndTests", "-v")
            .WithEnvironment("HOSTILE_PROCESS_END", way).Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal(
            $"ProcessEndTests (cleanup) {verdict}", "ProcessEndTests.Passes PASS");
        run.StandardOutput.Text.Should().Contain(told);
        run.ExitCode.Should().Be(1);
    });

    /// <summary>Any of them may have left it.</summary>
    [Fact]
    public void WhatOneOfSeveralClassesLeavesToTheEnd_IsToldOfTheirProcess() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:ProcessEndTests or class:OddRowTests", "--isolation",
            "chunk:2", "-v").WithEnvironment("HOSTILE_PROCESS_END", "crash").Run();

        PTestProgram.Verdicts(run, "").Should().Equal(
            "ProcessRunner.HostileTests (process) CRASH", $"{Prefix}OddRowTests.EqualRows(number: 1) PASS",
            $"{Prefix}OddRowTests.Nameless PASS", $"{Prefix}ProcessEndTests.Passes PASS");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>The kernel shows it as it shows a process that has ended.</summary>
    [Fact]
    public void AProcessWhoseFirstThreadHasEnded_IsALeak() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:LostThreadTests", "--isolation", "class",
            "--timeout", "20s", "-v")
            .WithEnvironment("HOSTILE_CLEANUP", "hang")
            .WithEnvironment(
                "HOSTILE_LOST_THREAD", PTestProgram.Built("ProcessRunner.TestHost", "ProcessRunner.TestHost"))
            .Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal(
            "LostThreadTests (cleanup) TIMEOUT", "LostThreadTests.Leaks LEAK", "LostThreadTests.Other PASS");
    });

    /// <summary>Only the first test has taken too long.</summary>
    [Fact]
    public void ATestThatEndsByTheStop_HasTakenTooLong_AndTheNextOneRunsAgain() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:EndsAtStopTests", "--isolation", "class",
            "--timeout", "15s", "-v").WithEnvironment("HOSTILE_STOP", "goes-on").Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal("EndsAtStopTests.First TIMEOUT", "EndsAtStopTests.Next PASS");
    });

    [Fact]
    public void AFixtureThatExitsWhileOthersRun_IsToldItself() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:BesideOthersTests or class:OthersTests", "--isolation",
            "assembly", "-v").WithEnvironment("HOSTILE_BESIDE", "exit").Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal(
            "BesideOthersTests (cleanup) EXIT", "BesideOthersTests.EndsEarly PASS", "OthersTests.RunsMeanwhile PASS");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>An end of a process without its last message is no pass, even if it does not come again.</summary>
    [Theory]
    [InlineData("0", 1)]
    [InlineData("1", 0)]
    public void AFixtureThatExitsOnce_IsFlaky(string retries, int exitCode) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:FixtureTests and method:One", "--isolation", "class",
            "--retries", retries, "-v").WithEnvironment("HOSTILE_CLEANUP", "exit-once").Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal(
            "FixtureTests (cleanup) FLAKY", "FixtureTests.One_Passes PASS");
        run.ExitCode.Should().Be(exitCode);
    });
}
