using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Tools;

/// <summary>Verifies the sources of the tool's items.</summary>
[OnlyOn(Systems.Unix, "the commands of the tool are of Unix")]
public sealed class BatchProgramInputTests
{
    [Fact]
    public void Items_FromStandardInput_AreItsLines() => Guard.Run(() =>
        BatchProgram.RunWithInput("a b\n\nc\r\nlast", "printf", "<%s>").EnsureSuccess()
            .StandardOutput.Text.Should().Be("<a b><><c\r><last>"));

    [Fact]
    public void Items_FromAFile_AreItsLines() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        BatchProgram.RunWithInput("not this", "-a", directory.File("list", "1\n2\n"), "echo").EnsureSuccess()
            .StandardOutput.Text.Should().Be("1\n2\n");
        BatchProgram.RunWithInput("this", "--arg-file=-", "echo").StandardOutput.Text.Should().Be("this\n");
    });

    [Fact]
    public void Items_SeparatedByNul_MayHoldLineEnds() => Guard.Run(() =>
        BatchProgram.RunWithInput("a\nb\0 c '\"\0", "-0", "printf", "<%s>").EnsureSuccess()
            .StandardOutput.Text.Should().Be("<a\nb>< c '\">"));

    [Fact]
    public void NoItems_AreNoJobs() => Guard.Run(() =>
    {
        BatchProgram.RunWithInput("", "echo").EnsureSuccess().StandardOutput.TotalBytes.Should().Be(0);
        BatchProgram.RunWithInput("not this", "echo", ":::").EnsureSuccess().StandardOutput.TotalBytes.Should().Be(0);
        BatchProgram.RunWithInput("\n  \nx\n", "-r", "echo").EnsureSuccess().StandardOutput.Text.Should().Be("x\n");
    });

    [Fact]
    public void ThousandsOfItems_FromStandardInput_AllRunAndComeInOrder() => Guard.Run(() =>
    {
        string[] items = [.. Enumerable.Range(1, 3_000).Select(n => $"item {n}")];
        ProcessResult result = BatchProgram.RunWithInput(string.Join('\n', items), "-j8", "echo");
        result.EnsureSuccess().StandardOutput.Lines().Should().Equal(items);
        result.StandardError.TotalBytes.Should().Be(0);
    });

    // The input never ends and exceeds both the batch's read-ahead and its queue.
    [NativeBackend(".NET passes on that this process ignores SIGPIPE")]
    [Fact]
    public void EndlessInput_WhoseOutputIsCutOff_EndsTheRun() => Guard.Run(() =>
    {
        ProcessResult result =
            TestPrograms.Shell("(yes; echo) | \"$1\" -j4 echo | head -n 3", BatchProgram.FilePath).Run();
        result.StandardOutput.Text.Should().Be("y\ny\ny\n");
        result.StandardError.TotalBytes.Should().Be(0);
    });

    [NativeBackend(".NET passes on that this process ignores SIGPIPE")]
    [Fact]
    public void ItemWithoutAnEnd_IsRefused_BeforeItFillsTheMemory() => Guard.Run(() =>
    {
        const string EndlessItem = "(echo ok; yes | tr -d '\\n') | \"$1\" echo";
        ProcessResult result = TestPrograms.Shell(EndlessItem, BatchProgram.FilePath).Run();
        result.ExitCode.Should().Be(255);
        result.StandardOutput.Text.Should().Be("ok\n");
        result.StandardError.Text.Should().Match("batch: item 2 of standard input is longer than 1 MiB*--null*\n");
    });

    [Fact]
    public void FirstItem_RunsWhileTheInputGoesOn() => Guard.Run(() =>
    {
        using ChildProcess batch = (BatchProgram.Command("echo") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        }).Start();
        batch.StandardInput.Write("early\n"u8);
        batch.StandardInput.Flush();
        batch.ReadLines().First().Content.Should().Be("early");
    });

    [Theory]
    [InlineData("ok\\nb\\377d\\n", "item 2 of standard input is not UTF-8")]
    [InlineData("ok\\na\\0b\\n", "item 2 holds a NUL character*--null")]
    public void BadItem_IsNamed_AfterWhatRanBeforeIt(string input, string message) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("printf \"$2\" | \"$1\" echo", BatchProgram.FilePath, input).Run();
        result.ExitCode.Should().Be(255);
        result.StandardOutput.Text.Should().Be("ok\n");
        result.StandardError.Text.Should().Match($"batch: *{message}*");
        result.StandardError.Lines().Should().HaveCount(1);
    });
}
