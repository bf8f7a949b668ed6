using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

[OnlyOn(Systems.Linux, "the hostile suite, which starts shells")]
public sealed class OptionTests
{
    private const string Prefix = "ProcessRunner.HostileTests.";

    [Theory]
    [InlineData("hash")]
    [InlineData("slice")]
    [InlineData("time")]
    public void Shards_HaveEachTestOnce(string kind) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        IReadOnlyList<string> List(params IEnumerable<string> options) =>
        [
            .. PTestProgram.Command(
                folder.Path, ["list", PTestProgram.Hostile, "-e", "not class:RandomRow", .. options]).Run()
                .EnsureSuccess().StandardOutput.Lines(),
        ];

        IReadOnlyList<string>[] shards =
            [.. Enumerable.Range(1, 3).Select(number => List("--shard", $"{kind}:{number}/3"))];

        shards.SelectMany(shard => shard).Should().BeEquivalentTo(List());
        shards.Should().OnlyContain(shard => shard.Count > 0);
    });

    [Theory]
    [InlineData("hash")]
    [InlineData("slice")]
    [InlineData("time")]
    public void AShard_IsTheSame_InWhateverOrderTheTestsAreListed(string kind) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        IReadOnlyList<string> List(params IEnumerable<string> targets) =>
        [
            .. PTestProgram.Command(folder.Path, ["list", .. targets, "--shard", $"{kind}:1/2"])
                .Run().EnsureSuccess().StandardOutput.Lines(),
        ];

        List(PTestProgram.Many, PTestProgram.HostileV3).Should().BeEquivalentTo(
            List(PTestProgram.HostileV3, PTestProgram.Many));
    });

    [Fact]
    public void RerunFailed_RunsWhatFailedLastTime() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        IReadOnlyList<string> Run(params IEnumerable<string> options) =>
            Verdicts(PTestProgram.Command(
                folder.Path, [PTestProgram.Hostile, "-v", "-e", "class:OrdinaryTests", .. options]).Run());

        Run().Should().HaveCount(5);
        Run("--rerun-failed").Should().Equal("OrdinaryTests.Fails FAIL");
    });

    /// <summary>What has failed in a part runs again in that part, and nowhere else.</summary>
    [Theory]
    [InlineData("hash")]
    [InlineData("slice")]
    public void RerunFailed_WithAShard_RunsWhatFailedInThatPart(string kind) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        IReadOnlyList<string> Failed(int part, params IEnumerable<string> options) =>
        [
            .. Verdicts(PTestProgram.Command(
                folder.Path,
                [
                    PTestProgram.Hostile, "-v", "-e", "class:OrdinaryTests or class:HostileTests.Begin", "--shard",
                    $"{kind}:{part}/3", .. options,
                ]).Run()).Where(line => line.EndsWith(" FAIL")),
        ];
        int[] parts = [1, 2, 3];
        IReadOnlyList<string>[] first = [.. parts.Select(part => Failed(part))];

        first.Sum(part => part.Count).Should().Be(1);
        parts.Select(part => Failed(part, "--rerun-failed")).Should().BeEquivalentTo(
            first, options => options.WithStrictOrdering());
    });

    /// <summary>The limit leaves a busy machine the time to begin the process: before that there is no dump.</summary>
    [Fact]
    public void HangDump_WritesTheMemoryOfAHangingProcess() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "method:Never", "--timeout", "15s", "--hang-dump", "triage").Run();

        Verdicts(run).Should().Equal("EndlessTests.Never TIMEOUT");
        string dump = Directory.EnumerateFiles(folder.File("TestResults"), "*.dmp").Should().ContainSingle().Subject;
        new FileInfo(dump).Length.Should().BeGreaterThan(100_000);
        run.StandardOutput.Text.Should().Contain($"dump: {dump}");
    });

    [Fact]
    public void FailFast_EndsTheRun_AndTellsWhatDidNotRun() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "OrdinaryTests.Fails or FlakyTests.FailsOnce",
            "--isolation", "test", "-j", "1", "--fail-fast", "1", "-v").Run();

        Verdicts(run).Select(line => line.Split(' ')[1]).Should().BeEquivalentTo("FAIL", "NOT-RUN");
        run.ExitCode.Should().Be(1);
    });

    [Fact]
    public void RunTimeout_EndsTheRun_AndTellsWhatDidNotRun() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "method:Never or method:Skipped", "--isolation", "test",
            "--run-timeout", "30s", "--timeout", "0", "-v").Run();

        Verdicts(run).Should().Equal("EndlessTests.Never NOT-RUN", "OrdinaryTests.Skipped SKIP");
        run.ExitCode.Should().Be(5);
    });

    [Fact]
    public void Stress_RunsEachTestSoOften_AndFailsIfOneFailsOnce() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:FlakyTests and not method:Before", "--isolation", "test",
            "--stress", "3", "-v").Run();

        Verdicts(run).Should().Equal(
            "FlakyTests.Behind_Passes PASS", "FlakyTests.Behind_Passes PASS", "FlakyTests.Behind_Passes PASS",
            "FlakyTests.FailsOnce FAIL", "FlakyTests.FailsOnce PASS", "FlakyTests.FailsOnce PASS");
        run.ExitCode.Should().Be(1);
    });

    [Fact]
    public void Stress_EndsWithTheFailuresThatAreEnough() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "OrdinaryTests.Fails", "--stress", "5", "--fail-fast", "2", "-v")
            .Run();

        Verdicts(run).Should().Equal("OrdinaryTests.Fails FAIL", "OrdinaryTests.Fails FAIL");
        run.ExitCode.Should().Be(1);
    });

    /// <summary>The times of the first part would change what the second one is.</summary>
    [Fact]
    public void ShardsByTime_OneAfterAnother_HaveEachTestOnce() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string[] Names(params IEnumerable<string> options) =>
        [
            .. Verdicts(PTestProgram.Command(
                folder.Path,
                [PTestProgram.Hostile, "-v", "-e", "method:Before_Passes or method:Behind_Passes", .. options]).Run())
                .Select(line => line.Split(' ')[0]),
        ];

        string[] all = Names("--no-history");
        all.Length.Should().BeGreaterThan(3);
        Names("--shard", "time:1/2").Concat(Names("--shard", "time:2/2")).Should().BeEquivalentTo(all);
    });

    /// <summary>The framework would run all tests of a program, and one of them never ends.</summary>
    [Theory]
    [InlineData("MSTest")]
    [InlineData("NUnit")]
    public void AProgramAsAWhole_RunsTheChosenTestsAlone(string framework) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy(framework), "--isolation", "assembly", "-e", "OrdinaryTests.Passes",
            "--timeout", "60s", "-v").Run();

        PTestProgram.Verdicts(run, $"Hostile{framework}.").Should().Equal("OrdinaryTests.Passes PASS");
        run.ExitCode.Should().Be(0);
    });

    [Fact]
    public void Stress_IsOneRunInTheReports() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:FlakyTests", "--stress", "2",
            "--report", "junit:j.xml", "--report", "trx:t.trx", "--report", "json:e.jsonl").Run();
        XElement junit = XDocument.Load(folder.File("j.xml")).Root!;
        RunEvents events = new(folder.File("e.jsonl"));

        junit.Descendants("testcase").Should().HaveCount(6);
        junit.Attribute("tests")!.Value.Should().Be("6");
        XDocument.Load(folder.File("t.trx")).Descendants()
            .Count(element => element.Name.LocalName == "UnitTestResult").Should().Be(6);
        events.Of("test").Should().HaveCount(6);
        events.Of("run-started").Should().ContainSingle();
        events.Of("run-ended").Should().ContainSingle().Which.GetProperty("passed").GetInt32().Should().Be(5);
    });

    [Theory]
    [InlineData("trait:Speed=slow", 1)]
    [InlineData("trait:Speed", 1)]
    [InlineData("trait:Sp*=s*w", 1)]
    [InlineData("trait:Speed=slo", 0)]
    [InlineData("trait:Spee", 0)]
    [InlineData("trait:Speed and not trait:Speed=slow", 0)]
    public void ATrait_IsChosenByItsNameAndValue(string filter, int count) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(folder.Path, "list", PTestProgram.Hostile, "-e", filter).Run();

        run.StandardOutput.Lines().Should().HaveCount(count);
        run.ExitCode.Should().Be(count > 0 ? 0 : 4);
    });

    [Fact]
    public void Help_HasALineForEachOption_AndEveryExitCode() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string text = PTestProgram.Command(folder.Path, "--help").Run().EnsureSuccess().StandardOutput.Text;
        string[] lines = text.Split('\n');

        lines.Should().OnlyContain(line => line.Length <= 110);
        lines.Count(line => line.Contains("  --") || line.Contains(", --")).Should().BeGreaterThan(25);
        foreach (string heading in (string[])["Which tests:", "Processes:", "Limits:", "Output:", "Exit codes:"])
        {
            lines.Should().Contain(heading);
        }

        foreach (string code in (string[])["0", "1", "2", "4", "5", "130"])
        {
            lines.Should().ContainSingle(line => line.StartsWith($"  {code} "));
        }

        lines.Should().NotContain(line => line.TrimStart().StartsWith("--") && line.TrimEnd().Split("  ").Length < 2);
    });

    private static IReadOnlyList<string> Verdicts(ProcessResult run) => PTestProgram.Verdicts(run, Prefix);
}
