using System.Collections.Generic;
using System.IO;
using System.Linq;
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
            .. PTestProgram.Command(folder.Path, ["list", PTestProgram.Hostile, .. options])
                .Run().EnsureSuccess().StandardOutput.Lines(),
        ];

        IReadOnlyList<string>[] shards =
            [.. Enumerable.Range(1, 3).Select(number => List("--shard", $"{kind}:{number}/3"))];

        shards.SelectMany(shard => shard).Should().BeEquivalentTo(List());
        shards.Should().OnlyContain(shard => shard.Count > 0);
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

    [Fact]
    public void HangDump_WritesTheMemoryOfAHangingProcess() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "method:Never", "--timeout", "2s", "--hang-dump", "triage").Run();

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
            "--run-timeout", "15s", "--timeout", "0", "-v").Run();

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

    private static IReadOnlyList<string> Verdicts(ProcessResult run) => PTestProgram.Verdicts(run, Prefix);
}
