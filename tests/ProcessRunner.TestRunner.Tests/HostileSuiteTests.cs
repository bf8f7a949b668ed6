using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public sealed class HostileSuiteTests
{
    // The others have no limit that a busy machine reaches.
    private const string SlowOne = """
        { "profiles": { "default": { "slow": "1h", "overrides": [ { "filter": "method:Slow", "slow": "1s" },
            { "filter": "method:Never", "timeout": "3s" } ] } } }
        """;

    [Theory]
    [InlineData("class")]
    [InlineData("adaptive")]
    [InlineData("test")]
    public void EachHostileTest_GetsItsVerdict_AndAllOthersReport(string isolation) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), SlowOne);
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "--isolation", isolation, "--retries", "1", "-v")
            .Run();
        string[] lines = [.. run.StandardOutput.Lines()];
        string Verdict(string test) =>
            lines.Single(line => line.Contains($"s] ProcessRunner.HostileTests ProcessRunner.HostileTests.{test}"))
                .Split('[')[0].Trim();

        run.ExitCode.Should().Be(1, run.StandardOutput.Text + run.StandardError.Text);
        Verdict("FailFastTests.FailFast").Should().Be("CRASH", run.StandardOutput.Text);
        Verdict("StackOverflowTests.Overflow").Should().Be("CRASH", run.StandardOutput.Text);
        Verdict("EndlessTests.Never").Should().Be("TIMEOUT", run.StandardOutput.Text);
        Verdict("ExitTests.Exit").Should().Be("EXIT", run.StandardOutput.Text);
        Verdict("LeakWithOutputTests.Leaks").Should().Be("LEAK", run.StandardOutput.Text);
        Verdict("LeakInSilenceTests.Leaks").Should().Be("LEAK", run.StandardOutput.Text);
        Verdict("LeakInSessionTests.Leaks").Should().Be("LEAK", run.StandardOutput.Text);
        Verdict("LeakLaterTests.Leaks").Should().Be("LEAK", run.StandardOutput.Text);
        Verdict("FlakyTests.FailsOnce").Should().Be("FLAKY", run.StandardOutput.Text);
        string[] company = [Verdict("CompanyTests.One"), Verdict("CompanyTests.Other")];
        company.Should().BeEquivalentTo(isolation == "test" ? ["PASS", "PASS"] : (string[])["PASS", "ORDER"]);
        Verdict("OrdinaryTests.Fails").Should().Be("FAIL", run.StandardOutput.Text);
        Verdict("OrdinaryTests.Skipped").Should().Be("SKIP", run.StandardOutput.Text);
        Verdict("OrdinaryTests.Slow").Should().Be("SLOW", run.StandardOutput.Text);

        lines.Count(line => line.Contains("_Passes") && line.StartsWith("    PASS")).Should().Be(25);
        foreach (string leak in (string[])["sleep 1000.25", "sleep 1000.5", "sleep 1000.75", "sleep 1000.875"])
        {
            run.StandardOutput.Text.Should().Contain(leak);
            Processes.With(leak, folder).Should().BeEmpty();
        }

        run.StandardOutput.Text.Should().Contain("printed by the failing test");
    });
}
