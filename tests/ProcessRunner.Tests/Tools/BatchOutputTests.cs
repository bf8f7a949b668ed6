using System;
using System.Globalization;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Tools;

/// <summary>Verifies the tool's output, its order, and the log.</summary>
[OnlyOn(Systems.Unix, "the commands of the tool are of Unix")]
public sealed class BatchOutputTests
{
    // The first job ends once the log contains the second job, whose end was noticed by then.
    private const string FirstEndsLast = "if [ {#} = 1 ]; then until grep -q ^2 {}; do sleep 0.01; done; fi; echo {#}";

    [Theory]
    [InlineData("--keep-order", "1\n2\n")]
    [InlineData("--group", "1\n2\n")]
    [InlineData("--unordered", "2\n1\n")]
    public void Outputs_ComeInTheOrderOfTheItems_UnlessUnordered(string option, string expected) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string log = directory.At("log");
        BatchProgram.Run(option, "-j2", "--joblog", log, "--shell", FirstEndsLast, ":::", log, log).EnsureSuccess()
            .StandardOutput.Text.Should().Be(expected);
    });

    [Fact]
    public void Output_OfAJob_StaysInOnePiece() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        const string EachWaitsForTheOther =
            "echo {} begins; echo {} err >&2; touch {}; until [ -e a ] && [ -e b ]; do sleep 0.01; done; echo {} ends";
        ProcessResult result = (BatchProgram.Command("-j2", "--shell", EachWaitsForTheOther, ":::", "a", "b") with
        {
            WorkingDirectory = directory,
        }).Run();
        result.StandardOutput.Lines().Should().Equal("a begins", "a ends", "b begins", "b ends");
        result.StandardError.Lines().Should().Equal("a err", "b err");
    });

    [Fact]
    public void LargeOutput_ArrivesToTheLastByte() => Guard.Run(() =>
    {
        ProcessResult result = BatchProgram.Run("-j2", TestPrograms.TestChildPath, "fill", ":::", "3000001", "5000003");
        result.EnsureSuccess().StandardOutput.TotalBytes.Should().Be(3_000_001 + 5_000_003);
    });

    [Fact]
    public void Tag_BeginsEachLineOfBothStreams() => Guard.Run(() =>
    {
        ProcessResult result =
            BatchProgram.Run("--tag", "--shell", "echo 1; printf 2; echo e >&2; : {}", ":::", "a b", "c");
        result.StandardOutput.Text.Should().Be("a b\t1\na b\t2\nc\t1\nc\t2\n");
        result.StandardError.Text.Should().Be("a b\te\nc\te\n");
    });

    [Fact]
    public void JobLog_HasTheColumnsOfGnuParallel() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string log = directory.At("log");
        BatchProgram.Run("-j1", "--joblog", log, "--shell", "printf abc; {}; exit 3", ":::", "true", "two\nlines");
        string[][] rows = [.. File.ReadLines(log).Select(line => line.Split('\t'))];
        rows[0].Should().Equal(
            "Seq", "Host", "Starttime", "JobRuntime", "Send", "Receive", "Exitval", "Signal", "Command");
        rows[1][..2].Should().Equal("1", ":");
        double.Parse(rows[1][2], CultureInfo.InvariantCulture).Should().BeGreaterThan(1.7e9);
        double.Parse(rows[1][3], CultureInfo.InvariantCulture).Should().BeInRange(0, 60);
        rows[1][4..].Should().Equal("0", "3", "3", "0", "printf abc; true; exit 3");
        rows[2][8].Should().Be("printf abc; 'two\\nlines'; exit 3");
        rows.Should().HaveCount(3);
    });

    [Fact]
    public void JobLog_TellsSignalsTimeoutsAndMissingPrograms() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string log = directory.At("log");
        string[] Last() => File.ReadLines(log).Last().Split('\t')[6..8];
        BatchProgram.Run("--joblog", log, "--shell", "kill -9 $$; : {}", ":::", "x");
        Last().Should().Equal("0", "9");

        // A child that its limit stops on the way to its program gets SIGKILL.
        LongerLimits.Until(limit =>
        {
            BatchProgram.Run("--joblog", log, "--timeout", $"{limit.TotalMilliseconds}ms", "sleep", ":::", "1000");
            Last().Should().Equal("-1", "15");
        });
        BatchProgram.Run("--joblog", log, "no-such-program", ":::", "x");
        Last().Should().Equal("127", "0");
    });

    [Theory]
    [InlineData("echo ::: x >/dev/full", 255, "standard output cannot be written")]
    [InlineData("--joblog /dev/full echo ::: x", 255, "--joblog")]
    [InlineData("false ::: x 2>/dev/full", 1, "")]
    public void FullDisk_EndsTheRunWithoutATrace(string line, int expected, string message) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell($"'{BatchProgram.FilePath}' {line}").Run();
        result.ExitCode.Should().Be(expected);
        result.StandardError.Text.Should().Match($"*{message}*").And.NotContain("   at ");
    });

    [Fact]
    public void LogThatFails_EndsTheRun_AfterTheOutputOfAllThatWasStarted() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        const int Items = 20_000;
        const string LogWithAReaderOfTwoLines =
            "mkfifo log; (head -n 2 <log >lines; : >closed) & "
            + "seq \"$3\" | \"$1\" -j1 --joblog log --shell \"$2\"";
        const string Job = "[ {} = 1 ] || until [ -e closed ]; do sleep 0.01; done; echo {}; : >ran{}";
        ProcessCommand command =
            TestPrograms.Shell(LogWithAReaderOfTwoLines, BatchProgram.FilePath, Job, $"{Items}");
        ProcessResult result = (command with { WorkingDirectory = directory }).Run();
        result.ExitCode.Should().Be(255);
        result.StandardError.Text.Should().Match("batch: --joblog: *");
        result.StandardError.Lines().Should().HaveCount(1);

        // Jobs start until the tool has seen the failure, so that there must be more of them than it can miss.
        int count = Directory.EnumerateFiles(directory, "ran*").Count();
        count.Should().BeInRange(2, Items - 1);
        result.StandardOutput.Lines().Should().Equal(Enumerable.Range(1, count).Select(item => $"{item}"));
        Enumerable.Range(1, count).Should().OnlyContain(item => File.Exists(Path.Combine(directory, $"ran{item}")));
    });

    [Fact]
    public void Progress_OnATerminal_IsDrawnAndWipedAway() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        string screen = OnATerminal($"sh -c 'sleep {Seconds(limit)}; echo out {{}}' ::: 1");
        screen.Should().Contain("1 running").And.Contain("sleep ").And.Contain("\e[J").And.Contain("out 1");
        screen.LastIndexOf("\e[J", StringComparison.Ordinal)
            .Should().BeGreaterThan(screen.LastIndexOf("running", StringComparison.Ordinal));
    }));

    [Fact]
    public void Progress_ShowsAJobWithItsSlot() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        string screen = OnATerminal($"sh -c 'sleep {Seconds(limit)}; : slot={{%}}' ::: 1");
        screen.Should().Contain("slot=1").And.NotContain("slot=0");
    }));

    [Fact]
    public void Progress_WithoutATerminal_IsNotShown() => Guard.Run(() =>
        BatchProgram.Run("--progress", "sleep", ":::", "0.5").StandardError.TotalBytes.Should().Be(0));

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString(CultureInfo.InvariantCulture);

    // script(1) runs the tool on its own terminal.
    private static string OnATerminal(string line) =>
        (new ProcessCommand("script", "-qec", $"{BatchProgram.FilePath} {line}", "/dev/null") with
        {
            Environment = new System.Collections.Generic.Dictionary<string, string?> { ["TERM"] = "xterm" },
        }).Run().StandardOutput.Text;
}
