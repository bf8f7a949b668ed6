using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "setup commands of the shell")]
public sealed class ConfigurationTests
{
    private const string Valid = """
        {
          // Comments and trailing commas are fine.
          "groups": { "one": 1 },
          "profiles": {
            "default": {
              "slow": "1h",
              "overrides": [ { "filter": "class:EndlessTests", "timeout": "1s" }, ]
            },
            "ci": {
              "retries": 1,
              "report": ["junit:ci.xml"],
              "overrides": [
                { "filter": "class:EndlessTests", "timeout": "2s" },
                { "filter": "method:Never or method:Slow", "retries": 0, "slow": "1s", "group": "one" }
              ]
            }
          }
        }
        """;

    [Theory]
    [InlineData("{\n \"profiles\": {\n  \"ci\": { \"retrys\": 2 } } }", ":3: profiles.ci", "no key 'retrys'")]
    [InlineData("{\n \"profile\": {} }", ":2: ", "no key 'profile'")]
    [InlineData(
        "{\"profiles\":{\"ci\":{\n\"timeout\": \"soon\"}}}", ":2: profiles.ci.timeout: ", "'soon' is not a time")]
    [InlineData(
        "{\"profiles\":{\"ci\":{\n\n\"retries\": -1}}}",
        ":3: profiles.ci.retries: ",
        "'-1' is not a number of at least 0")]
    [InlineData(
        "{\"profiles\":{\"ci\":{\n\"jobs\": 0}}}", ":2: profiles.ci.jobs: ", "'0' is not a number of at least 1")]
    [InlineData("{\"profiles\":{\"ci\":{\n\"leaks\": true}}}", ":2: profiles.ci.leaks: ", "a string or a number")]
    [InlineData("{\"profiles\":{\"ci\":{\n\"flaky\": \"so\"}}}", ":2: profiles.ci.flaky: ", "neither pass nor fail")]
    [InlineData("{\"profiles\":{\"ci\":{\"report\":\n[\"xml:a\"]}}}", ":2: profiles.ci.report", "'xml' is none of")]
    [InlineData(
        "{\"profiles\":{\"ci\":{\"overrides\":[\n{\"filter\": \"color:red\"}]}}}",
        ":2: profiles.ci.overrides[0].filter: ", "'color' is not a kind of name")]
    [InlineData(
        "{\"profiles\":{\"ci\":{\"overrides\":[\n{\"timeout\": \"1s\"}]}}}", ":2: profiles.ci.overrides[0]", "filter")]
    [InlineData(
        "{\"groups\":{\"db\":1},\"profiles\":{\"ci\":{\"overrides\":[\n{\"filter\":\"a\",\n\"group\": \"bd\"}]}}}",
        ":3: profiles.ci.overrides.group: ", "no group 'bd' in \"groups\": db")]
    [InlineData("{\n\"groups\": { \"db\": 0 } }", ":2: groups", "'0' is not a number of at least 1")]
    [InlineData("{\n\"groups\": { \n", ":3: ", "JSON")]
    [InlineData("{ \"setup\": [\n{ \"timeout\": 1 }] }", ":2: setup[0]", "command")]
    [InlineData("{ \"setup\": [null] }", ": setup[0]: ", "null")]
    [InlineData("{\"profiles\":{\"ci\":null}}", ": profiles.ci: ", "null")]
    [InlineData("{\"profiles\":{\"ci\":{\"overrides\":[{\"filter\":null}]}}}", ": profiles.ci.overrides: ", "null")]
    [InlineData("[]", ":1: ", "another kind")]
    [InlineData(
        "{ \"setup\": [ { \"command\": [\"a\"] },\n{ \"command\": [] }] }",
        ":2: setup[1].command: ", "program is missing")]
    [InlineData("{ \"setup\": [\n{ \"command\": [\"\"] }] }", ":2: setup[0].command: ", "program is missing")]
    [InlineData("{ \"setup\": [\n{ \"command\": [\"a\", null] }] }", ":2: setup[0].command: ", "null")]
    [InlineData(
        "{\"profiles\":{\"ci\":{\n\"precompile\": 1}}}", ":2: profiles.ci.precompile: ", "true or false is expected")]
    public void AMistake_IsToldWithFileLineAndKey(string text, string place, string reason) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), text);
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile, "--profile", "ci").Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().StartWith($"ptest: {folder.File("ptest.json")}{place}").And.Contain(reason);
    });

    [Fact]
    public void AProfileThatDoesNotExist_IsRefused_AndTheOthersAreNamed() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), Valid);
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile, "--profile", "cI").Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("no profile 'cI': default, ci.");
    });

    [Theory]
    [InlineData(new string[0], "TIMEOUT 1 s", "PASS", false)]
    [InlineData(new[] { "--profile", "ci" }, "TIMEOUT 2 s", "SLOW", true)]
    [InlineData(new[] { "--profile", "ci", "--timeout", "20s", "--slow", "1m" }, "TIMEOUT 20 s", "PASS", true)]
    public void TheCommandLineWins_ThenOverrides_ThenTheProfile_ThenTheDefault(
        string[] options, string never, string slow, bool hasReport) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), Valid);
        string below = Directory.CreateDirectory(folder.File("below")).FullName;
        ProcessResult run = (PTestProgram.Command(
            folder.Path,
            [PTestProgram.Hostile, "-v", "-e", "method:Never or method:Slow or method:FailsOnce", .. options]) with
        {
            WorkingDirectory = below,
        }).Run();
        string[] lines = [.. PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.")];

        lines.Should().HaveCount(3, run.StandardOutput.Text);
        lines.Should().Contain($"EndlessTests.Never {never.Split(' ')[0]}")
            .And.Contain($"OrdinaryTests.Slow {slow}");
        run.StandardOutput.Text.Should().Contain($"it took longer than {never[8..]}");
        File.Exists(Path.Combine(below, "ci.xml")).Should().Be(hasReport);

        // Without retries a flaky test fails the run; with them it passes.
        run.StandardOutput.Text.Should().Contain(hasReport ? "2 passed, 1 failed" : "1 passed, 2 failed");
    });

    [Fact]
    public void TheOutputOfSetupCommands_IsTheEnvironmentOfTheTests() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string state = Directory.CreateDirectory(folder.File("state")).FullName;
        File.WriteAllText(folder.File("ptest.json"), $$"""
            {
              "setup": [
                { "command": ["echo", "FIRST={{state}}"] },
                { "command": ["/bin/sh", "-c", "echo HOSTILE_STATE=$FIRST"], "timeout": "1m" }
              ]
            }
            """);
        PTestProgram.Command(folder.Path, PTestProgram.Hostile, "-e", "method:FailsOnce").Run();

        File.Exists(Path.Combine(state, "flaky-has-failed")).Should().BeTrue();
    });

    [Theory]
    [InlineData("echo no variable", "wrote no NAME=VALUE: no variable")]
    [InlineData("exit 3", "the setup command failed")]
    public void ASetupCommandThatGoesWrong_EndsTheRunBeforeTheTests(string command, string reason) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(
            folder.File("ptest.json"), $$"""{ "setup": [ { "command": ["/bin/sh", "-c", "{{command}}"] } ] }""");
        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile).Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain(reason);
        run.StandardOutput.Text.Should().BeEmpty();
    });

    [Theory]
    [InlineData("pass", new string[0], 0)]
    [InlineData("fail", new[] { "--retries", "1" }, 1)]
    public void AnOverride_SaysWhatAFlakyTestIsWorth(string value, string[] options, int exitCode) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), $$"""
            { "profiles": { "default": {
                "overrides": [ { "filter": "method:FailsOnce", "flaky": "{{value}}" } ] } } }
            """);
        ProcessResult run = PTestProgram.Command(
            folder.Path, [PTestProgram.Hostile, "-v", "-e", "class:FlakyTests", .. options]).Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Contain("FlakyTests.FailsOnce FLAKY");
        run.ExitCode.Should().Be(exitCode);
    });

    /// <summary>Two tests that would run at once are in a group of one.</summary>
    [Fact]
    public void AGroup_RunsAtMostAsManyAtOnceAsItsLimit() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), """
            {
              "groups": { "one": 1 },
              "profiles": { "default": { "overrides": [ { "filter": "method:Never", "group": "one" },
                { "filter": "method:Slow", "group": "one" } ] } }
            }
            """);
        ProcessCommand command = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "method:Never or method:Slow", "--isolation", "test", "-j", "4",
            "--timeout", "2s", "--report", "json:e.jsonl");
        SteadyClock.During(() => { command.Run(); });
        string[] lines = [.. File.ReadLines(folder.File("e.jsonl")).Where(line => line.Contains("\"process\""))];
        (DateTime Start, DateTime End)[] spans =
        [
            .. lines.Select(line => System.Text.Json.JsonDocument.Parse(line).RootElement)
                .Select(one => (one.GetProperty("started").GetDateTime(), one.GetProperty("seconds").GetDouble()))
                .Select(one => (one.Item1, one.Item1.AddSeconds(one.Item2)))
                .OrderBy(one => one.Item1),
        ];

        spans.Should().HaveCountGreaterThanOrEqualTo(2);
        spans.Zip(spans.Skip(1)).All(pair => pair.First.End <= pair.Second.Start).Should().BeTrue();
    });
}
