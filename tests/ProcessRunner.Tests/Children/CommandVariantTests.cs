using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

/// <summary>Verifies the commands that are made from another command.</summary>
public sealed class CommandVariantTests
{
    private static readonly ProcessCommand s_print = TestPrograms.Shell("printf '[%s]' \"$@\"", "a", "b");

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Arguments_AreAppendedReplacedOrPrepended() => Guard.Run(() =>
    {
        ProcessCommand echo = new("echo", "a", "b");
        Output(echo.WithArguments("c d", "e")).Should().Be("a b c d e\n");
        Output(echo with { Arguments = ["c"] }).Should().Be("c\n");
        Output(echo with { Arguments = ["-n", .. echo.Arguments] }).Should().Be("a b");
        echo.Arguments.Should().Equal("a", "b");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Arguments_ThatNoProgramCanGet_AreRefused()
    {
        ProcessCommand echo = new("echo");
        Action[] misuses =
        [
            () => _ = echo with { Arguments = default },
            () => _ = echo with { Arguments = ["a\0"] },
            () => _ = echo with { Arguments = [null!] },
            () => echo.WithArguments("a\0"),
            () => echo.RunBy("nice", "a\0"),
            () => echo.RunBy("ni\0ce"),
            () => echo.RunBy(""),
            () => echo.WithEnvironment("", "x"),
            () => echo.WithEnvironment("a=b", "x"),
            () => echo.WithEnvironment(null!, "x"),
            () => echo.WithEnvironment(null!),
        ];
        misuses.Should().AllSatisfy(misuse => misuse.Should().Throw<ArgumentException>());
    }

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Environment_GrowsByFurtherChanges() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell("echo ${A-none} ${B-none} ${HOME-none}")
            .WithEnvironment("A", "1")
            .WithEnvironment("B", "2")
            .WithEnvironment([new("A", "3"), KeyValuePair.Create<string, string?>("HOME", null)]);
        Output(command).Should().Be("3 2 none\n");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Command_RunByAnother_KeepsEverythingElse() => Guard.Run(() =>
    {
        ProcessCommand command = s_print with
        {
            WorkingDirectory = "/",
            ExitCodes = [3],
            StandardInput = InputSource.FromText("input"),
        };
        ProcessCommand wrapped = command.RunBy("env", "-u", "HOME");
        Output(wrapped).Should().Be("[a][b]");
        wrapped.ToString().Should().StartWith("env -u HOME /bin/sh -c ");
        (wrapped with { Arguments = command.Arguments }).Should().Be(new ProcessCommand("env") with
        {
            Arguments = command.Arguments,
            WorkingDirectory = command.WorkingDirectory,
            ExitCodes = command.ExitCodes,
            StandardInput = command.StandardInput,
        });
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Operators_BuildPipelines() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = new ProcessCommand("seq", "10") | new ProcessCommand("grep", "1")
            | new ProcessCommand("wc", "-l");
        pipeline.ToString().Should().Be("seq 10 | grep 1 | wc -l");
        pipeline.Run().EnsureSuccess().StandardOutput.Text.Trim().Should().Be("2");
        FluentActions.Invoking(() => (ProcessCommand)null! | new ProcessCommand("x"))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => (ProcessPipeline)null! | new ProcessCommand("x"))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => new ProcessCommand("x") | null!).Should().ThrowExactly<ArgumentNullException>();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Batch_TakesCommandsWithoutTheirType() => Guard.Run(() =>
    {
        ProcessBatch.Enumerate([new("true"), new("sh", "-c", "exit 3")])
            .Select(result => result.Result!.ExitCode)
            .Should().BeEquivalentTo(new int?[] { 0, 3 });
        ProcessBatch.Enumerate([new BatchItem(new("true"))]).Should().ContainSingle();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Lines_AreAList()
    {
        IReadOnlyList<string> lines = new ProcessCommand("printf", "a\nb\r\nc").Run().StandardOutput.Lines();
        lines.Should().Equal("a", "b", "c");
    }

    private static string Output(ProcessCommand command) => command.Run().StandardOutput.Text;
}
