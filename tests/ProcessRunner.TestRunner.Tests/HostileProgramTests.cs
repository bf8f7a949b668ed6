using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies programs of Microsoft.Testing.Platform, which report their tests late.</summary>
[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public sealed class HostileProgramTests
{
    [Theory]
    [InlineData("MSTest", "class")]
    [InlineData("MSTest", "adaptive")]
    [InlineData("NUnit", "class")]
    public void EachHostileTest_GetsItsVerdict_AndAllOthersReport(string framework, string isolation) => Guard.Run(() =>
    {
        bool isNUnit = framework == "NUnit";
        string leak = isNUnit ? "sleep 3000.5" : "sleep 3000.25";
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy(framework), "--isolation", isolation, "--timeout", "12s", "-v").Run();

        string Row(string number, string text) =>
            isNUnit ? $"OrdinaryTests.Row({number},\"{text}\")" : $"OrdinaryTests.Row ({number},\"{text}\")";
        string[] disturbances = isNUnit ? [] : ["OrdinaryTests.Disturbs_Passes PASS"];
        PTestProgram.Verdicts(run, $"Hostile{framework}.").Should().BeEquivalentTo(
        [
            "CrashTests.Before_Passes PASS", "CrashTests.Crashes CRASH", "CrashTests.Other_Passes PASS",
            "EndlessTests.Before_Passes PASS", "EndlessTests.Never TIMEOUT", "EndlessTests.Other_Passes PASS",
            "ExclusiveTests.Waits_Passes PASS",
            "ExitTests.Before_Passes PASS", "ExitTests.Exits EXIT", "ExitTests.Other_Passes PASS",
            "LeakTests.Before_Passes PASS", "LeakTests.Leaks LEAK", "LeakTests.Other_Passes PASS",
            "OrdinaryTests.Fails FAIL", "OrdinaryTests.Passes PASS", "OrdinaryTests.Skipped SKIP",
            $"{Row("1", "a \\\"quoted\\\" row")} PASS", $"{Row("2", "")} PASS",
            $"{Row("-1", "")} FAIL", .. disturbances,
        ]);
        run.ExitCode.Should().Be(1);
        run.StandardOutput.Text.Should().Contain("written by the failing test")
            .And.MatchRegex($"left behind: .*{Regex.Escape(leak)}", "it may not have executed sleep yet");
        Processes.With(leak, folder).Should().BeEmpty();
    });
}
