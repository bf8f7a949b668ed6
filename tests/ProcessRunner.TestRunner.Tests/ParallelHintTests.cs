using System.IO;
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

    /// <summary>xunit reads them from a file, as "dotnet test" does.</summary>
    [Theory]
    [InlineData("xunit", """{ "parallelizeTestCollections": false }""")]
    [InlineData("xunit", """{ "maxParallelThreads": 1 }""")]
    [InlineData("V3", """{ "parallelMode": "none" }""")]
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

    [Fact]
    public void SlotsOfAnOverride_KeepOthersAway() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), """
            { "profiles": { "default": { "overrides": [ { "filter": "method:Slow", "slots": 3 } ] } } }
            """);
        Run(folder, PTestProgram.Hostile, "class:OrdinaryTests").ProcessesDuring("OrdinaryTests.Slow").Should().Be(1);
    });

    internal static RunEvents Run(TemporaryFolder folder, string suite, string filter, params string[] options)
    {
        PTestProgram.Command(
            folder.Path,
            [suite, "-e", filter, "--isolation", "test", "-j", "3", "--report", "json:e.jsonl", .. options]).Run();
        return new RunEvents(folder.File("e.jsonl"));
    }
}
