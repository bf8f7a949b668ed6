using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Tests that ask to run alone do, and so do those that take all slots.</summary>
[OnlyOn(Systems.Linux, "the hostile suite, which starts shells")]
public sealed class ParallelHintTests
{
    internal const string Alone = "ExclusiveTests.Waits_Passes";

    [Theory]
    [InlineData("xunit")]
    [InlineData("MSTest")]
    [InlineData("NUnit")]
    [InlineData("V3")]
    [InlineData("V3Oldest")]
    [InlineData("TUnit")]
    public void ATestThatForbidsParallelRuns_RunsAlone(string framework) => Guard.Run(() =>
    {
        string suite = framework == "xunit" ? PTestProgram.Hostile : PTestProgram.HostileBy(framework);
        using TemporaryFolder folder = new();
        Run(folder, suite, "class:ExclusiveTests or class:OrdinaryTests").ProcessesDuring(Alone).Should().Be(1);
    });

    [Theory]
    [InlineData("ExclusiveClassTests.ClassWaits_Passes")]
    [InlineData("ExclusiveFactTests.FactWaits_Passes")]
    public void AClassOrATestOfXunit3ThatForbidsParallelRuns_RunsAlone(string test) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        Run(folder, PTestProgram.HostileV3, "class:Exclusive or class:OrdinaryTests")
            .ProcessesDuring(test).Should().Be(1);
    });

    [Theory]
    [InlineData("OneThread")]
    [InlineData("OneThreadV3")]
    public void AnAssemblyWithOneThread_RunsOneProcessAtATime(string name) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        RunEvents events = Run(folder, PTestProgram.HostileBy(name), "class:OneTests or class:OtherTests");
        events.Of("process").Should().HaveCount(2);
        events.MostProcessesAtOnce().Should().Be(1);
    });

    /// <summary>xunit reads them from a file, as "dotnet test" does.</summary>
    [Theory]
    [InlineData("xunit", """{ "parallelizeTestCollections": false }""")]
    [InlineData("xunit", """{ "maxParallelThreads": 1 }""")]
    [InlineData("xunit", """{ "MaxParallelThreads": 1 }""")]
    [InlineData("V3", """{ "parallelMode": "none" }""")]
    [InlineData("V3", """{ "PARALLELMODE": "none", "x": 1, "x": 2 }""")]
    public void SettingsThatForbidParallelRuns_KeepOthersAway(string framework, string settings) => Guard.Run(() =>
    {
        string suite = framework == "xunit" ? PTestProgram.Hostile : PTestProgram.HostileBy(framework);
        using TemporaryFolder folder = new();
        foreach (string path in Directory.GetFiles(Path.GetDirectoryName(suite)!))
        {
            File.Copy(path, folder.File(Path.GetFileName(path)));
        }

        File.WriteAllText(folder.File("xunit.runner.json"), settings);
        Run(folder, folder.File(Path.GetFileName(suite)), "class:OrdinaryTests").MostProcessesAtOnce().Should().Be(1);
    });

    /// <summary>They change the results, as in "dotnet test".</summary>
    [Theory]
    [InlineData("xunit", "\"failSkips\": true", "OrdinaryTests.Skipped FAIL", "a reason")]
    [InlineData("xunit", "\"failSkips\": false", "OrdinaryTests.Skipped SKIP", "a reason")]
    [InlineData("xunit", "\"FailSkips\": true", "OrdinaryTests.Skipped FAIL", "a reason")]
    [InlineData("V3", "\"failSkips\": true", "OrdinaryTests.Skipped FAIL", "a reason")]
    [InlineData("V3", "\"culture\": \"de-AT\"", "OrdinaryTests.Fails FAIL", "in culture 'de-AT'")]
    [InlineData("V3", "\"culture\": \"invariant\"", "OrdinaryTests.Fails FAIL", "in culture ''")]
    public void SettingsOfResults_AreKept(string framework, string setting, string verdict, string text) =>
        Guard.Run(() =>
        {
            string suite = framework == "xunit" ? PTestProgram.Hostile : PTestProgram.HostileBy(framework);
            using TemporaryFolder folder = new();
            foreach (string path in Directory.GetFiles(Path.GetDirectoryName(suite)!))
            {
                File.Copy(path, folder.File(Path.GetFileName(path)));
            }

            File.WriteAllText(folder.File("xunit.runner.json"), $"{{ {setting} }}");
            ProcessResult run = PTestProgram.Command(
                folder.Path, folder.File(Path.GetFileName(suite)), "-e", "class:OrdinaryTests", "-v")
                .WithEnvironment("DOTNET_SYSTEM_GLOBALIZATION_PREDEFINED_CULTURES_ONLY", "false").Run();

            string prefix = framework == "xunit" ? "ProcessRunner.HostileTests." : "HostileV3.";
            PTestProgram.Verdicts(run, prefix).Should().Contain(verdict);
            run.StandardOutput.Text.Should().Contain(text);
        });

    /// <summary>xunit never runs them beside each other, nor does the runner when they run again.</summary>
    [Theory]
    [InlineData("class", "")]
    [InlineData("test", "")]
    [InlineData("assembly", "1")]
    public void TestsOfOneCollection_RunOneAfterAnother(string isolation, string fails) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessCommand command = PTestProgram.Command(
            folder.Path,
            PTestProgram.Hostile,
            "-e",
            "class:PairOneTests or class:PairTwoTests",
            "--isolation",
            isolation,
            "-j",
            "3",
            "--report",
            "json:e.jsonl");
        RunEvents events = EventsOf(
            folder, fails.Length > 0 ? command.WithEnvironment("PAIR_FAILS", fails) : command);
        events.Of("process").Should().HaveCountGreaterThan(1);
        events.MostProcessesAtOnce().Should().Be(1);
    });

    /// <summary>A fixture that keeps others out would fail the tests that an ended process has left.</summary>
    [Fact]
    public void WhatAnEndedProcessHasLeftOfACollection_RunsNotBesideIt() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        RunEvents events = EventsOf(
            folder,
            PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "class:LockTests", "--isolation", "class", "-j", "3",
                "--report", "json:e.jsonl").WithEnvironment("HOSTILE_LOCK", "1"));
        events.Of("test").Select(test => $"{test.GetProperty("method")} {test.GetProperty("verdict")}")
            .Should().BeEquivalentTo("First PASS", "Second EXIT", "Third PASS");
        events.Of("process").Should().HaveCount(3);
        events.MostProcessesAtOnce().Should().Be(1);
    });

    /// <summary>It is a process of two collections, while tests of one of them are still to run.</summary>
    [Fact]
    public void TestsOfSeveralCollectionsThatRunAgain_DoNotRunBesideTheOthersOfThese() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        RunEvents events = EventsOf(
            folder,
            PTestProgram.Command(
                folder.Path, PTestProgram.Hostile, "-e", "class:SpreadOneTests or class:SpreadTwoTests",
                "--isolation", "chunk:2", "-j", "3", "--report", "json:e.jsonl")
                .WithEnvironment("HOSTILE_SPREAD", "1"));
        events.Of("test").Select(test => test.GetProperty("verdict").GetString())
            .Should().BeEquivalentTo("PASS", "PASS", "PASS", "PASS", "ORDER", "ORDER");
        events.Of("process").Should().Contain(process => process.GetProperty("purpose").GetString() == "company");
        events.MostProcessesAtOnce().Should().Be(1);
    });

    [Fact]
    public void SlotsOfAnOverride_KeepOthersAway() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), """
            { "profiles": { "default": { "overrides": [ { "filter": "method:Slow", "slots": 3 } ] } } }
            """);
        Run(folder, PTestProgram.Hostile, "class:OrdinaryTests").ProcessesDuring("OrdinaryTests.Slow").Should().Be(1);
    });

    internal static RunEvents EventsOf(TemporaryFolder folder, ProcessCommand command)
    {
        SteadyClock.During(() => { command.Run(); });
        return new RunEvents(folder.File("e.jsonl"));
    }

    internal static ProcessCommand Command(
        TemporaryFolder folder, string suite, string filter, params string[] options) => PTestProgram.Command(
            folder.Path,
            [suite, "-e", filter, "--isolation", "test", "-j", "3", "--report", "json:e.jsonl", .. options]);

    private static RunEvents Run(TemporaryFolder folder, string suite, string filter) =>
        EventsOf(folder, Command(folder, suite, filter));
}
