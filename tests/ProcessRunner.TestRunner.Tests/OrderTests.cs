using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies what is told of a test that passes alone and not after another one.</summary>
[OnlyOn(Systems.Linux, "deaths by signals")]
public sealed class OrderTests
{
    private const string Prefix = "ProcessRunner.HostileTests.";

    [Theory]
    [InlineData("fail", "0")]
    [InlineData("fail", "1")]
    [InlineData("hang", "0")]
    [InlineData("hang", "1")]
    [InlineData("crash", "0")]
    [InlineData("crash", "1")]
    [InlineData("exit", "1")]
    public void ATestThatDoesNotPassAfterAnother_IsOrder_HoweverItEnds(string way, string retries) => Guard.Run(() =>
        LongerLimits.Until(limit =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:OrderTests", "--isolation", "class", "--retries", retries,
            "--timeout", $"{limit.TotalMilliseconds}ms", "-v").WithEnvironment("HOSTILE_ORDER", way).Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal("OrderTests.First PASS", "OrderTests.Second ORDER");
        run.StandardOutput.Text.Should().Contain($"It passes alone, and fails after: {Prefix}OrderTests.First.");
        run.ExitCode.Should().Be(1);
    }));

    /// <summary>Nobody knows which test ended the process, only that it takes both of them.</summary>
    [Theory]
    [InlineData("0")]
    [InlineData("1")]
    public void AProcessThatEndsOnlyWithAllOfItsTests_IsOrder_IfItTellsItsTestsLate(string retries) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("NUnit"), "-e", "class:OrderTests", "--isolation", "class",
            "--retries", retries, "-v").WithEnvironment("HOSTILE_ORDER", "crash").Run();

        PTestProgram.Verdicts(run, "").Should().Equal(
            "HostileNUnit.OrderTests.First PASS", "HostileNUnit.OrderTests.Second PASS",
            "ProcessRunner.HostileTests.NUnit (process) ORDER");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>The others are no reason for a failure that they did not live to see again.</summary>
    [Fact]
    public void ACompanyThatEndsBeforeTheTest_IsNoProof() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:OrderTests", "--isolation", "class", "-v")
            .WithEnvironment("HOSTILE_ORDER", "fail-once").Run();

        PTestProgram.Verdicts(run, Prefix).Should().Equal("OrderTests.First PASS", "OrderTests.Second FAIL");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>Where so many fail, a test is not tried alone. A pass without the others would prove nothing.</summary>
    [Fact]
    public void AFailureAfterMany_RunsAgainAmongThem() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("ptest.json"), """
            { "profiles": { "default": { "overrides": [ { "filter": "method:Last", "retries": 1 } ] } } }
            """);
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:CrowdTests", "--isolation", "class", "-v")
            .WithEnvironment("HOSTILE_CROWD", "1").Run();

        PTestProgram.Verdicts(run, $"{Prefix}CrowdTests.").Should().HaveCount(51)
            .And.OnlyContain(line => line.EndsWith(" FAIL"));
        run.StandardOutput.Text.Should().Contain("CrowdTests.Last (attempt 2)");
    });
}
