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
