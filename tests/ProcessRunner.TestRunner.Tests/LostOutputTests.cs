using System.IO;
using System.Linq;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>A full disk, or a reader that has ended, loses what goes there, and nothing else.</summary>
[OnlyOn(Systems.Linux, "/dev/full, and shells")]
public sealed class LostOutputTests
{
    private const int Tests = 5;

    private static readonly string[] s_lost = ["j.xml", "e.jsonl", "p.html", "x.json"];

    [Theory]
    [InlineData("\"$@\" >/dev/full", "the output cannot be written")]
    [InlineData("\"$@\" >&-", "the output cannot be written")]
    [InlineData("\"$@\" >/dev/full 2>/dev/full", null)]
    [InlineData("{ \"$@\"; echo $? >code; } | head -n 1; exit $(cat code)", null)]
    public void AnOutputThatTakesNoMore_ChangesNeitherTheVerdictsNorTheReports(string script, string? error) =>
        Guard.Run(() =>
        {
            using TemporaryFolder folder = new();
            ProcessResult run = InShell(folder, script, "class:OrdinaryTests", "--report", "junit:j.xml", "-v");

            run.ExitCode.Should().Be(1, run.ToString());
            XDocument.Load(folder.File("j.xml")).Descendants("testcase").Should().HaveCount(Tests);
            if (error is null)
            {
                run.StandardError.Text.Should().BeEmpty();
            }
            else
            {
                run.StandardError.Lines().Should().ContainSingle().Which.Should().Contain(error);
            }
        });

    [Fact]
    public void ReportsThatTakeNoMore_AreTold_AndTheOthersAreWritten() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        foreach (string name in s_lost)
        {
            File.CreateSymbolicLink(folder.File(name), "/dev/full");
        }

        ProcessResult run = InShell(
            folder, "exec \"$@\"", "class:OrdinaryTests and not method:Fails", "--report", "junit:j.xml", "--report",
            "json:e.jsonl", "--report", "html:p.html", "--report", "trace:x.json", "--report", "trx:t.trx");

        run.ExitCode.Should().Be(2, "all tests passed, and what a job needs of them is missing");
        run.StandardOutput.Lines()[^1].Should().Be("3 passed, 0 failed, 1 skipped");
        run.StandardError.Lines().Select(line => line.Split(": ")[1]).Should().BeEquivalentTo(
            s_lost.Select(name => $"the report {folder.File(name)} is not complete"));
        XDocument.Load(folder.File("t.trx")).Descendants()
            .Count(element => element.Name.LocalName == "UnitTestResult").Should().Be(Tests - 1);
    });

    [Fact]
    public void AFileOfAProcessThatCannotBeMade_EndsTheRun_AndTheReportsTellIt() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:TakenFilesTests", "--retries", "1",
            "--report", "junit:j.xml")
            .WithEnvironment("TMPDIR", folder.Path).WithEnvironment("HOSTILE_TAKE", "1").Run();

        run.ExitCode.Should().Be(1, run.ToString());
        run.StandardOutput.Lines()[^1].Should().Be("0 passed, 1 failed");
        run.StandardError.Text.Should().Contain("already exists");
        XDocument.Load(folder.File("j.xml")).Descendants("failure").Should().ContainSingle();
    });

    /// <summary>Runs the hostile tests of a filter by a shell, in which "$@" is the command.</summary>
    private static ProcessResult InShell(TemporaryFolder folder, string script, params string[] arguments)
    {
        ProcessCommand command = PTestProgram.Command(folder.Path, [PTestProgram.Hostile, "-e", .. arguments]);
        return new ProcessCommand("sh", ["-c", script, "sh", command.FileName, .. command.Arguments])
        {
            WorkingDirectory = folder.Path,
        }.WithEnvironment("XDG_CACHE_HOME", folder.Path).Run();
    }
}
