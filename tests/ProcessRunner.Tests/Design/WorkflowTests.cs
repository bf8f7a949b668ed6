using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport.Platforms;
using Xunit;
using YamlDotNet.RepresentationModel;

namespace ProcessRunner.Tests.Design;

/// <summary>Verifies the workflow of the repository, which runs nowhere but at its host.</summary>
[OnlyOn(Systems.Unix, "a rule for the sources, checked where they are")]
public sealed class WorkflowTests
{
    private static readonly YamlMappingNode s_jobs = Jobs();

    [Fact]
    public void Suite_RunsOnEverySystem() =>
        s_jobs.Children.Values.SelectMany(Runners).Should()
            .Contain(["ubuntu-24.04", "ubuntu-24.04-arm", "windows-2025", "macos-15"]).And.OnlyHaveUniqueItems();

    [Fact]
    public void EveryJob_ChecksOutInstallsAndRunsTheSuiteInTime()
    {
        foreach (YamlNode job in s_jobs.Children.Values)
        {
            int.Parse(job["timeout-minutes"].ToString()).Should().BeInRange(1, 90);
            job["runs-on"].ToString().Should().Be("${{ matrix.os }}");
            string[] steps = [.. ((YamlSequenceNode)job["steps"]).Select(Action)];
            steps[0].Should().StartWith("actions/checkout@v");
            steps[1].Should().StartWith("actions/setup-dotnet@v");
            steps.Intersect([".ci/run", "dotnet test tests/ProcessRunner.Tests -c Release"]).Should().NotBeEmpty();
        }
    }

    // On macOS the tests take the portable backend anyway.
    [Fact]
    public void OtherSystems_CheckEachBackendThatTheyHave_WhateverHasFailedBefore()
    {
        const string Always = "${{ !cancelled() }}";
        const string OnWindows = "${{ !cancelled() && runner.os == 'Windows' }}";
        YamlNode others = s_jobs["others"];
        Runners(others).Should().Equal("windows-2025", "macos-15");
        ((YamlSequenceNode)others["steps"]).Skip(2)
            .Select(step => (Action(step), Text(step, "if"), IsPortable(step)))
            .Should().Equal(
                ("dotnet run -c Release --project tests/ProcessRunner.BackendCheck native", OnWindows, false),
                ("dotnet run -c Release --project tests/ProcessRunner.BackendCheck portable", Always, false),
                ("dotnet test tests/ProcessRunner.Tests -c Release", Always, false),
                ("dotnet test tests/ProcessRunner.StarvationTests -c Release", Always, false),
                ("dotnet test tests/ProcessRunner.Tests -c Release", OnWindows, true),
                ("dotnet test tests/ProcessRunner.StarvationTests -c Release", OnWindows, true));
    }

    [Fact]
    public void EveryFileThatAStepNames_Exists()
    {
        IEnumerable<string> words = s_jobs.Children.Values
            .SelectMany(job => (YamlSequenceNode)job["steps"])
            .Select(Action).SelectMany(command => command.Split(' ', '\n'))
            .Where(word => word.StartsWith("tests/", System.StringComparison.Ordinal) || word == ".ci/run");
        words.Should().NotBeEmpty().And.OnlyContain(word => Path.Exists(Path.Combine(Repository.Root, word)));
    }

    private static IEnumerable<string> Runners(YamlNode job) =>
        ((YamlSequenceNode)job["strategy"]["matrix"]["os"]).Select(node => node.ToString());

    private static string Action(YamlNode step) => Text(step, "run") ?? step["uses"].ToString();

    private static bool IsPortable(YamlNode step) =>
        ((YamlMappingNode)step).Children.TryGetValue("env", out YamlNode? variables)
        && variables["USE_PORTABLE_BACKEND"].ToString() == "1";

    private static string? Text(YamlNode step, string key) =>
        ((YamlMappingNode)step).Children.TryGetValue(key, out YamlNode? value) ? value.ToString() : null;

    private static YamlMappingNode Jobs()
    {
        YamlStream stream = [];
        stream.Load(new StringReader(Repository.Read(".github", "workflows", "ci.yml")));
        return (YamlMappingNode)stream.Documents.Single().RootNode["jobs"];
    }
}
