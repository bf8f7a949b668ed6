using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

public sealed class ReportOptionTests
{
    [Theory]
    [InlineData("xml:a.xml", "'xml' is none of: junit, trx, html, json, github, trace")]
    [InlineData("junit", "'junit' names no file: junit:PATH")]
    [InlineData("trx:", "'trx:' names no file: trx:PATH")]
    [InlineData("junit: ", "'junit: ' names no file: junit:PATH")]
    [InlineData("github: ", "GITHUB_STEP_SUMMARY")]
    [InlineData("github", "GITHUB_STEP_SUMMARY")]
    public void AReportThatCannotBeMeant_IsRefused(string report, string text) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile, "--report", report)
            .WithEnvironment("GITHUB_STEP_SUMMARY", null).Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("--report: ").And.Contain(text);
    });

    [Theory]
    [InlineData("default", 0)]
    [InlineData("ci", 2)]
    public void TheSummaryOfGitHub_InAProfile_IsMissedWhereTheProfileIsChosen(string profile, int exitCode) =>
        Guard.Run(() =>
        {
            using TemporaryFolder folder = new();
            File.WriteAllText(folder.File("ptest.json"), """
                { "profiles": { "ci": { "report": ["github"] } } }
                """);
            ProcessResult run = PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "class:ExclusiveTests", "--profile", profile)
                .WithEnvironment("GITHUB_STEP_SUMMARY", null).Run();

            run.ExitCode.Should().Be(exitCode, run.StandardError.Text);
            run.StandardError.Text.Contains("write github:PATH").Should().Be(exitCode != 0);
        });

    [Fact]
    public void AFileThatCannotBeWritten_IsToldBeforeTheRun() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:OrdinaryTests", "--report", $"trx:{folder.Path}").Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain(folder.Path).And.Contain("cannot be written");
        run.StandardOutput.Text.Should().NotContain("OrdinaryTests");
    });
}
