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
    public void ATestThatForbidsParallelRuns_RunsAlone(string framework) => Guard.Run(() =>
    {
        string suite = framework == "xunit" ? PTestProgram.Hostile : PTestProgram.HostileBy(framework);
        using TemporaryFolder folder = new();
        Run(folder, suite, "class:ExclusiveTests or class:OrdinaryTests").ProcessesDuring(Alone).Should().Be(1);
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
