using System.IO;
using System.Linq;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

public sealed class ReportOptionTests
{
    private const string Earlier = "of an earlier run";

    private static readonly string[] s_kinds = ["junit", "trx", "html", "json", "trace"];
    private static readonly string[] s_files = [.. s_kinds.Select(kind => $"run.{kind}")];

    [Fact]
    public void ARunWithoutTests_HasEmptyReports() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();

        Run(folder, PTestProgram.Hostile, "-e", "class:None").ExitCode.Should().Be(4);
        s_files.Should().OnlyContain(file => !File.ReadAllText(folder.File(file)).Contains(Earlier));
        XDocument.Load(folder.File("run.junit")).Root!.Attribute("tests")!.Value.Should().Be("0");
        XDocument.Load(folder.File("run.trx")).Should().NotBeNull();
    });

    [Fact]
    public void ARunThatEndsBeforeItsTests_LeavesNoReportOfAnEarlierOne() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();

        Run(folder, "missing.dll").ExitCode.Should().Be(2);
        s_files.Should().OnlyContain(file => new FileInfo(folder.File(file)).Length == 0);
    });

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

    private static ProcessResult Run(TemporaryFolder folder, params string[] arguments)
    {
        foreach (string file in s_files)
        {
            File.WriteAllText(folder.File(file), Earlier);
        }

        return PTestProgram.Command(
            folder.Path, [.. arguments, .. s_kinds.SelectMany(kind => (string[])["--report", $"{kind}:run.{kind}"])])
            .Run();
    }
}
