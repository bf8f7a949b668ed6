using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies what becomes of tests whose second run differs from the first, or never comes.</summary>
[OnlyOn(Systems.Linux, "a shell that is left behind")]
public sealed class SecondRunTests
{
    [Fact]
    public void ARowWithAnotherName_IsFlaky() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, "class:ChangingTests and method:HasAnotherName", "--retries", "1");

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.ChangingTests.")
            .Should().ContainSingle().Which.Should().EndWith(" FLAKY");
        run.StandardOutput.Text.Should().Contain("the first time it fails");
        run.ExitCode.Should().Be(0);
    });

    [Fact]
    public void ALeakOfThePassThatFollowsAFailure_IsTold() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, "class:ChangingTests and method:LeaksTheSecondTime", "--retries", "1");

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.ChangingTests.").Should().Equal(
            "LeaksTheSecondTime FLAKY");
        run.StandardOutput.Text.Should().MatchRegex(@"left behind: .*sleep 1000\.625");
        Processes.With("sleep 1000.625", folder).Should().BeEmpty();
    });

    /// <summary>MSTest reports rows late: nobody knows how many of them the process has taken along.</summary>
    [Theory]
    [InlineData("0")]
    [InlineData("300")]
    public void FoldedRows_OfAProcessThatDies_AreNotTakenForAllOfThem(string milliseconds) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("MSTest"), "-e", "class:FoldedTests", "-v")
            .WithEnvironment("HOSTILE_EXIT_AFTER", milliseconds).Run();

        PTestProgram.Verdicts(run, "HostileMSTest.").Should().Contain("FoldedTests.Row EXIT");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>The data of a theory comes to its end after its rows, and before the theory does.</summary>
    [Theory]
    [InlineData("exit", "EXIT", "class")]
    [InlineData("crash", "CRASH", "class")]
    [InlineData("hang", "TIMEOUT", "class")]
    [InlineData("exit", "EXIT", "assembly")]
    public void AProcessThatEndsWithTheDataOfATheory_IsTheEndOfThatTheory(
        string way, string verdict, string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:RowEndTests", "--isolation", isolation, "--timeout", "20s",
            "--run-timeout", "5m", "-v").WithEnvironment("HOSTILE_CLEANUP", way).Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.RowEndTests.").Should().Equal(
            "Other PASS", $"Row {verdict}", "Row(row: ending) PASS");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>No row is no pass: the failure stays.</summary>
    [Theory]
    [InlineData("class", "0")]
    [InlineData("test", "1")]
    public void ATheoryThatHasNoRowsWhenItRunsAgain_HasFailed(string isolation, string retries) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:VanishingRowTests", "--isolation", isolation,
            "--retries", retries, "-v").WithEnvironment("HOSTILE_VANISH", "1").Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.VanishingRowTests.").Should().Equal(
            "Other PASS", "Vanishes(number: 1) FAIL");
        run.ExitCode.Should().Be(1, run.ToString());
    });

    /// <summary>One process at a time: the failure ends the run before the fixture is run again.</summary>
    [Fact]
    public void AnEndAroundTests_IsTold_IfTheRunEndsBeforeASecondOne() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(
            folder, "class:FixtureTests or class:OrdinaryTests", "-j", "1", "--fail-fast", "1", "--isolation", "class");

        PTestProgram.Verdicts(run, "").Where(line => line.Contains("(cleanup)")).Should().Equal(
            "ProcessRunner.HostileTests.FixtureTests (cleanup) EXIT");
        run.StandardOutput.Lines()[^1].Should().Be("5 passed, 2 failed, 1 skipped");
    });

    /// <summary>The tests fail, and run again by themselves; so does the end of their fixture.</summary>
    [Theory]
    [InlineData("0")]
    [InlineData("1")]
    public void AFixtureThatFailsAfterEachRunOfATest_IsToldOnce(string retries) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:BadCleanupTests", "--isolation", "class", "--retries",
            retries, "-v").WithEnvironment("HOSTILE_CLEANUP", "throw").Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal(
            "BadCleanupTests (cleanup) FAIL", "BadCleanupTests.One FAIL", "BadCleanupTests.Other FAIL");
    });

    private static ProcessResult Run(TemporaryFolder folder, string filter, params string[] options) =>
        PTestProgram.Command(folder.Path, [PTestProgram.Hostile, "-e", filter, "-v", .. options])
            .WithEnvironment("HOSTILE_CLEANUP", "exit").Run();
}
