using System.Linq;
using System.Text.Json;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Compares odd tests with what "dotnet test" makes of them.</summary>
[OnlyOn(Systems.Linux, "the hostile suites")]
public sealed class OddTests
{
    /// <summary>"dotnet test" runs the first of equal rows, and passes over the others with a message.</summary>
    [Theory]
    [InlineData("assembly")]
    [InlineData("class")]
    [InlineData("test")]
    public void EqualRowsAndBlankNames_AreTestsOnce(string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:OddRowTests", "--isolation", isolation, "-v").Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.OddRowTests.").Should().Equal(
            "EqualRows(number: 1) PASS", "Nameless PASS");
        run.ExitCode.Should().Be(0);
    });

    [Fact]
    public void WhatXunit3TellsOfNoTest_StandsWithItsTestOrClass() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileV3, "-e", "class:NamelessTests or class:FixtureTests", "-v")
            .WithEnvironment("HOSTILE_CLEANUP", "throw").Run();

        PTestProgram.Verdicts(run, "HostileV3.").Should().Equal(
            "FixtureTests (cleanup) FAIL", "FixtureTests.One_Passes PASS", "NamelessTests.Blank PASS",
            "NamelessTests.Empty FAIL");
        run.StandardOutput.Text.Should().Contain("Argument was empty (Parameter 'displayName')")
            .And.Contain("the fixture fails at its end");
    });

    [Theory]
    [InlineData("throw", "FAIL", "assembly")]
    [InlineData("hang", "TIMEOUT", "assembly")]
    [InlineData("exit", "EXIT", "assembly")]
    [InlineData("crash", "CRASH", "assembly")]
    [InlineData("exit", "EXIT", "class")]
    [InlineData("hang", "TIMEOUT", "test")]
    public void AFailureOfAFixture_FailsTheRun_AndStandsWithItsClass(string way, string verdict, string isolation) =>
        Guard.Run(() =>
        {
            using TemporaryFolder folder = new();
            ProcessResult run = PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "class:FixtureTests or class:OddRowTests", "--timeout", "20s",
                "--isolation", isolation, "--report", "json:e.jsonl").WithEnvironment("HOSTILE_CLEANUP", way).Run();

            run.ExitCode.Should().Be(1, run.StandardOutput.Text);
            JsonElement[] tests = [.. new RunEvents(folder.File("e.jsonl")).Of("test")];
            JsonElement[] failed = [.. tests.Where(one => one.GetProperty("isFailure").GetBoolean())];
            (tests.Length - failed.Length).Should().Be(4, "the tests themselves pass");
            failed.Should().OnlyContain(one =>
                one.GetProperty("verdict").GetString() == verdict
                && one.GetProperty("class").GetString() == "ProcessRunner.HostileTests.FixtureTests"
                && one.GetProperty("name").GetString()!.EndsWith("(cleanup)"));
            failed.Should().HaveCountGreaterThanOrEqualTo(1).And.HaveCountLessThanOrEqualTo(2);
        });

    [Fact]
    public void ANameOfTwoLines_IsOneLine() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        PTestProgram.Command(folder.Path, "list", PTestProgram.Hostile, "-e", "method:Other and class:FixtureTests")
            .Run().StandardOutput.Lines().Should().Equal("ProcessRunner.HostileTests of two\\nlines");
    });
}
