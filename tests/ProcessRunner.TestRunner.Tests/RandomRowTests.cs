using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies theories whose data differ in each process, as by <c>Guid.NewGuid()</c>.</summary>
[OnlyOn(Systems.Linux, "the hostile suites")]
public sealed class RandomRowTests
{
    [Theory]
    [InlineData("class")]
    [InlineData("test")]
    [InlineData("assembly")]
    public void EachRow_RunsOnce_WithTheDataOfItsProcess(string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        Verify(folder, PTestProgram.Hostile, isolation);
    });

    [Theory]
    [InlineData("class")]
    [InlineData("test")]
    public void EachRowOfXunit3_RunsOnce_IfTheListHasTheRows(string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        foreach (string path in Directory.GetFiles(Path.GetDirectoryName(PTestProgram.HostileV3)!))
        {
            File.Copy(path, folder.File(Path.GetFileName(path)));
        }

        File.WriteAllText(folder.File("xunit.runner.json"), """{ "preEnumerateTheories": true }""");
        string suite = folder.File(Path.GetFileName(PTestProgram.HostileV3));

        PTestProgram.Command(folder.Path, "list", suite, "-e", "class:RandomRowTests").Run()
            .StandardOutput.Lines().Should().HaveCount(4);
        Verify(folder, suite, isolation);
    });

    /// <summary>With other frameworks the row does not run, which is no failure of it.</summary>
    [Fact]
    public void ARowThatIsNotFoundAgain_DoesNotEndTheRun() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("NUnit"), "-e", "class:RandomRowTests or class:LeakOnceTests",
            "--isolation", "class", "-j", "1", "--fail-fast", "1", "-v").WithEnvironment("HOSTILE_RANDOM", "1").Run();

        run.StandardOutput.Lines().TakeLast(2).Should().Equal(["3 NOT-RUN", "2 passed, 3 failed"], run.ToString());
        run.ExitCode.Should().Be(5);
    });

    private static void Verify(TemporaryFolder folder, string suite, string isolation)
    {
        ProcessResult run = PTestProgram.Command(
            folder.Path, suite, "-e", "class:RandomRowTests", "--isolation", isolation, "-v").Run();

        IReadOnlyList<string> rows = PTestProgram.Verdicts(run, "");
        rows.Select(row => string.Join(' ', row.Split(' ', '"').Where(word => word is
            "same" or "good" or "bad" or "PASS" or "FAIL"))).Should().BeEquivalentTo(
            ["same PASS", "good PASS", "bad FAIL", "good PASS"], run.ToString());
        rows.Should().OnlyHaveUniqueItems();
        run.StandardOutput.Lines()[^1].Should().Be("3 passed, 1 failed");
    }
}
