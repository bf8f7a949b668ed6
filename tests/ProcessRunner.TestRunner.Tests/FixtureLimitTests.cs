using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies how long a fixture may take: as long as one of its tests that have not ended may.</summary>
[OnlyOn(Systems.Linux, "the hostile suite, which starts shells")]
public sealed class FixtureLimitTests
{
    private const string Prefix = "ProcessRunner.HostileTests.";

    private static readonly string[] s_begins = ["One", "Two", "Three", "Four"];

    [Theory]
    [InlineData("1s", "2s")]
    [InlineData("2s", "1s")]
    public void AFixtureThatDoesNotBegin_HasTheLongestLimitOfItsTests(string one, string other) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, one, other, "HOSTILE_BEGIN");

        PTestProgram.Verdicts(run, "").Should().HaveCount(2).And.OnlyContain(line => line.EndsWith(" TIMEOUT"));
        Told(run).Should().Equal("it took longer than 2 s, before the test had started");
    });

    [Theory]
    [InlineData("0", "1s")]
    [InlineData("1s", "0")]
    public void AFixtureOfATestWithoutALimit_HasNone(string one, string other) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, one, other, "HOSTILE_BEGIN", "--run-timeout", "10s");

        PTestProgram.Verdicts(run, "").Should().HaveCount(2).And.OnlyContain(line => line.EndsWith(" NOT-RUN"));
        Told(run).Should().BeEmpty();
        run.ExitCode.Should().Be(5);
    });

    /// <summary>No test is left, so all of them count. The limits leave a busy machine time for the tests.</summary>
    [Fact]
    public void AFixtureThatDoesNotEnd_HasTheLongestLimitOfItsTests() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = Run(folder, "19s", "20s", "HOSTILE_CLEANUP");

        PTestProgram.Verdicts(run, "").Should().HaveCount(3)
            .And.ContainSingle(line => line == $"{Prefix}FixtureTests (cleanup) TIMEOUT");
        Told(run).Should().Equal("it took longer than 20 s, after the tests");
    });

    /// <summary>
    /// The classes run in one process, in an order that only the framework knows. Whichever does not begin, the others
    /// have no part in it: neither those before it nor those behind.
    /// </summary>
    [Theory]
    [InlineData("", "One", "hang", "TIMEOUT")]
    [InlineData("", "Two", "hang", "TIMEOUT")]
    [InlineData("", "Three", "hang", "TIMEOUT")]
    [InlineData("", "Four", "hang", "TIMEOUT")]
    [InlineData("", "One", "exit", "EXIT")]
    [InlineData("", "Two", "exit", "EXIT")]
    [InlineData("", "Three", "exit", "EXIT")]
    [InlineData("", "Four", "exit", "EXIT")]
    [InlineData(".V3", "Two", "hang", "TIMEOUT")]
    [InlineData(".V3", "Three", "exit", "EXIT")]
    public void OnlyTheClassWhoseFixtureDoesNotBegin_Fails(string suite, string name, string way, string verdict) =>
        Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = RunBegins(folder, suite, limit, "HOSTILE_BAD_BEGIN", $"Begin{name} {way}");

        PTestProgram.Verdicts(run, $"{Prefix}Begin").Should().BeEquivalentTo(
            s_begins.Select(one => $"{one}.Test {(one == name ? verdict : "PASS")}"));
    }));

    /// <summary>All tests share a fixture of the assembly: no process of fewer tests would come further.</summary>
    [Theory]
    [InlineData("hang", "TIMEOUT", 1)]
    [InlineData("exit", "EXIT", 2)]
    public void IfTheFixtureOfTheAssemblyDoesNotBegin_AllTestsFail_InAsFewProcesses(
        string way, string verdict, int processes) => Guard.Run(() => LongerLimits.Until(limit =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = RunBegins(folder, ".V3", limit, "HOSTILE_ASSEMBLY_BEGIN", way);

        PTestProgram.Verdicts(run, $"{Prefix}Begin").Should().BeEquivalentTo(
            s_begins.Select(one => $"{one}.Test {verdict}"));
        run.StandardOutput.Text.Should().Contain("before the first collection of tests");
        new RunEvents(folder.File("e.jsonl")).Of("process").Should().HaveCount(processes);
    }));

    [Fact]
    public void IfTheFixtureOfTheAssemblyBeginsTheSecondTime_AllTestsAreFlaky() => Guard.Run(() =>
        LongerLimits.Until(limit =>
        {
            using TemporaryFolder folder = new();
            ProcessResult run = RunBegins(
                folder, ".V3", limit, "HOSTILE_ASSEMBLY_BEGIN", "hang once", "--retries", "1");

            PTestProgram.Verdicts(run, $"{Prefix}Begin").Should().BeEquivalentTo(
                s_begins.Select(one => $"{one}.Test FLAKY"));
            run.StandardOutput.Text.Should().Contain("(attempt 2)");
            new RunEvents(folder.File("e.jsonl")).Of("process").Should().HaveCount(2);
        }));

    /// <summary>The time is not that of the test, which has a limit that leaves a busy machine time for it.</summary>
    [Fact]
    public void AProcessThatTakesItsTimeToFindItsTests_IsNotStopped() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:SlowDataTests", "--timeout", "20s", "-v")
            .WithEnvironment("HOSTILE_SLOW_DATA", "1").Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal("SlowDataTests.Row(number: 1) PASS");
    });

    private static ProcessResult RunBegins(
        TemporaryFolder folder, string suite, TimeSpan limit, string variable, string value, params string[] options) =>
        PTestProgram.Command(
            folder.Path,
            [
                PTestProgram.Built($"ProcessRunner.HostileTests{suite}", $"ProcessRunner.HostileTests{suite}.dll"),
                "-e", "class:HostileTests.Begin", "--isolation", "chunk:4",
                "--timeout", $"{limit.TotalMilliseconds}ms", "-v", "--report", "json:e.jsonl", .. options,
            ])
            .WithEnvironment(variable, value).Run();

    private static ProcessResult Run(
        TemporaryFolder folder, string one, string other, string variable, params string[] options)
    {
        File.WriteAllText(folder.File("ptest.json"), $$"""
            { "profiles": { "default": { "overrides": [ { "filter": "method:One", "timeout": "{{one}}" },
                { "filter": "method:Other", "timeout": "{{other}}" } ] } } }
            """);
        return PTestProgram.Command(
            folder.Path,
            [PTestProgram.Hostile, "-e", "class:FixtureTests", "--isolation", "class", "-v", .. options])
            .WithEnvironment(variable, "hang").Run();
    }

    private static string[] Told(ProcessResult run) =>
    [
        .. run.StandardOutput.Lines().Select(line => line.Trim()).Where(line => line.StartsWith("it took longer"))
            .Distinct(),
    ];
}
