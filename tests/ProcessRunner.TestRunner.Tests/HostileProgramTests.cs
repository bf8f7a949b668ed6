using System.IO;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies a program of Microsoft.Testing.Platform, which reports its tests late.</summary>
/// <remarks>Each program has a class, so that they wait beside each other.</remarks>
[OnlyOn(Systems.Linux, "deaths by signals, and shells that leave processes behind")]
public abstract class HostileProgramTests(string framework, string isolation)
{
    [Fact]
    public void EachHostileTest_GetsItsVerdict_AndAllOthersReport() => Guard.Run(() =>
    {
        bool isNUnit = framework == "NUnit";
        string leak = isNUnit ? "sleep 3000.5" : "sleep 3000.25";
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), """
            { "profiles": { "default": { "overrides": [ { "filter": "method:Never", "timeout": "10s" } ] } } }
            """);
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy(framework), "--isolation", isolation, "-v").Run();

        string Row(string number, string text) =>
            isNUnit ? $"OrdinaryTests.Row({number},\"{text}\")" : $"OrdinaryTests.Row ({number},\"{text}\")";
        string[] own = isNUnit
            ?
            [
                "LeakOnceTests.First_Passes PASS", "LeakOnceTests.Second_Passes PASS",
                "OrderTests.First PASS", "OrderTests.Second PASS",
                "RandomRowTests.Row(\"1\") PASS", "RandomRowTests.Row(\"2\") PASS", "RandomRowTests.Row(\"3\") PASS",
            ]
            :
            [
                "EndsAtStopTests.First PASS", "EndsAtStopTests.Next PASS", "ExitCodeTests.Passes PASS",
                "FoldedTests.Row (-1) FAIL", "FoldedTests.Row (1) PASS", "FoldedTests.Row (2) PASS",
                "OrdinaryTests.Disturbs_Passes PASS",
            ];
        PTestProgram.Verdicts(run, $"Hostile{framework}.").Should().BeEquivalentTo(
        [
            "CrashTests.Before_Passes PASS", "CrashTests.Crashes CRASH", "CrashTests.Other_Passes PASS",
            "EndlessTests.Before_Passes PASS", "EndlessTests.Never TIMEOUT", "EndlessTests.Other_Passes PASS",
            "ExclusiveTests.Waits_Passes PASS",
            "ExitTests.Before_Passes PASS", "ExitTests.Exits EXIT", "ExitTests.Other_Passes PASS",
            "LeakTests.Before_Passes PASS", "LeakTests.Leaks LEAK", "LeakTests.Other_Passes PASS",
            "OrdinaryTests.Fails FAIL", "OrdinaryTests.Passes PASS", "OrdinaryTests.Skipped SKIP",
            $"{Row("1", "a \\\"quoted\\\" row")} PASS", $"{Row("2", "")} PASS",
            $"{Row("-1", "")} FAIL", .. own,
        ],
        run.ToString());
        run.ExitCode.Should().Be(1);
        run.StandardOutput.Text.Should().Contain("written by the failing test")
            .And.MatchRegex($"left behind: .*{Regex.Escape(leak)}", "it may not have executed sleep yet");
        Processes.With(leak, folder).Should().BeEmpty();
    });
}

[OnlyOn(Systems.Linux, "the hostile suite")]
public sealed class LongNameTests
{
    /// <summary>Linux takes 128 KiB of one argument. The other class is left out, so that a filter is needed.</summary>
    [Fact]
    public void NamesThatAreTooLongForAnArgument_AreFiltered() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("LongNames"), "-e", "class:LongTests", "--isolation", "class").Run();

        run.ExitCode.Should().Be(0, run.StandardOutput.Text);
        run.StandardOutput.Text.Should().MatchRegex("170 tests in .* s, 1 process, ");
        run.StandardOutput.Lines()[^1].Should().Be("170 passed, 0 failed");
    });
}

/// <inheritdoc/>
public sealed class HostileMSTestByClassTests() : HostileProgramTests("MSTest", "class");

/// <inheritdoc/>
public sealed class HostileMSTestAdaptiveTests() : HostileProgramTests("MSTest", "adaptive");

/// <inheritdoc/>
public sealed class HostileNUnitByClassTests() : HostileProgramTests("NUnit", "class");
