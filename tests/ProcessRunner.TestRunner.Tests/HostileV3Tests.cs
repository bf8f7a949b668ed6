using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public sealed class HostileV3Tests
{
    [Theory]
    [InlineData("V3", "class")]
    [InlineData("V3", "adaptive")]
    [InlineData("V3", "test")]
    [InlineData("V3Oldest", "class")]
    public void EachHostileTestOfXunit3_GetsItsVerdict_AndAllOthersReport(string suite, string isolation) =>
        Guard.Run(() =>
        {
            using TemporaryFolder folder = new();
            File.WriteAllText(folder.File("ptest.json"), """
                { "profiles": { "default": { "overrides": [ { "filter": "method:Never", "timeout": "3s" } ] } } }
                """);
            ProcessResult run = PTestProgram.Command(
                folder.Path, PTestProgram.HostileBy(suite), "-e",
                "not class:Exclusive and not class:Printing and not class:RandomRow and not class:Begin",
                "--isolation", isolation, "-v").Run();

            PTestProgram.Verdicts(run, "HostileV3.").Should().Equal(
                "CrashTests.Before_Passes PASS", "CrashTests.Behind_Passes PASS", "CrashTests.Crashes CRASH",
                "EmptyTheoryTests.HasNoRows FAIL", "EmptyTheoryTests.HasRows(number: 1) PASS",
                "EndlessTests.Before_Passes PASS", "EndlessTests.Behind_Passes PASS", "EndlessTests.Never TIMEOUT",
                "ExitTests.Before_Passes PASS", "ExitTests.Behind_Passes PASS", "ExitTests.Exits EXIT",
                "FixtureTests.One_Passes PASS",
                "LeakTests.Before_Passes PASS", "LeakTests.Behind_Passes PASS", "LeakTests.Leaks LEAK",
                "NamelessTests.Blank PASS", "NamelessTests.Empty FAIL",
                "OrdinaryTests.Fails FAIL", "OrdinaryTests.OnlyIfAsked SKIP", "OrdinaryTests.Passes PASS",
                "OrdinaryTests.PassesLater PASS", "OrdinaryTests.Row(number: -1) FAIL",
                "OrdinaryTests.Row(number: 1) PASS", "OrdinaryTests.Row(number: 2) PASS", "OrdinaryTests.Skipped SKIP",
                "OrdinaryTests.SkipsItself SKIP");
            run.ExitCode.Should().Be(1);
            run.StandardOutput.Text.Should().Contain("written by the failing test")
                .And.Contain("another reason")
                .And.MatchRegex("left behind: .*sleep 2000\\.25", "it may not have executed sleep yet");
            Processes.With("sleep 2000.25", folder).Should().BeEmpty();
        });
}
