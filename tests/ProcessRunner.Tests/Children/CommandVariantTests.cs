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
    public void Arguments_AreAppendedReplacedOrPrepended() => Guard.Run(() =>
    {
        ProcessCommand echo = TestPrograms.Quick("echo", "a", "echo", "b");
        Output(echo.WithArguments("echo", "c d")).Should().Be("a\nb\nc d\n");
        Output(echo with { Arguments = ["echo", "c"] }).Should().Be("c\n");
        Output(echo with { Arguments = ["print", "-", .. echo.Arguments] }).Should().Be("-a\nb\n");
        echo.Arguments.Should().Equal("echo", "a", "echo", "b");
    });

    [Fact]
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
    public void Environment_GrowsByFurtherChanges() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("env-0")
            .WithEnvironment("VARIANT_A", "1")
            .WithEnvironment("VARIANT_B", "2")
            .WithEnvironment([new("VARIANT_A", "3"), KeyValuePair.Create<string, string?>("PATH", null)]);
        string[] variables = Output(command).Split('\0');
        variables.Where(variable => variable.StartsWith("VARIANT_", StringComparison.Ordinal)).Order()
            .Should().Equal("VARIANT_A=3", "VARIANT_B=2");
        variables.Should().NotContain(variable => variable.StartsWith("PATH=", StringComparison.OrdinalIgnoreCase));
    });

    [Fact]
    [OnlyOn(Systems.Windows, "names of variables that ignore case")]
    public void Environment_ALaterChangeInAnotherCase_Counts() => Guard.Run(() =>
        Output(TestPrograms.Quick("env-0").WithEnvironment("variant", "1").WithEnvironment("VARIANT", "2")).Split('\0')
            .Where(variable => variable.StartsWith("VARIANT=", StringComparison.OrdinalIgnoreCase))
            .Should().Equal("variant=2"));

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
    public void Operators_BuildPipelines() => Guard.Run(() =>
    {
        ProcessCommand[] stages =
            [TestPrograms.Quick("seq", "1", "10"), TestPrograms.Quick("stdin"), TestPrograms.Quick("stdin-length")];
        ProcessPipeline pipeline = stages[0] | stages[1] | stages[2];
        pipeline.ToString().Should().Be(string.Join(" | ", (object[])stages));
        pipeline.Run().EnsureSuccess().StandardOutput.Text.Should().Be("21\n");
        FluentActions.Invoking(() => (ProcessCommand)null! | new ProcessCommand("x"))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => (ProcessPipeline)null! | new ProcessCommand("x"))
            .Should().ThrowExactly<ArgumentNullException>();
        FluentActions.Invoking(() => new ProcessCommand("x") | null!).Should().ThrowExactly<ArgumentNullException>();
    });

    [Fact]
    public void Batch_TakesCommandsWithoutTheirType() => Guard.Run(() =>
    {
        ProcessBatch.Enumerate([new(TestPrograms.QuickChildPath), new(TestPrograms.QuickChildPath, "return", "3")])
            .Select(result => result.Result!.ExitCode)
            .Should().BeEquivalentTo(new int?[] { 0, 3 });
        ProcessBatch.Enumerate([new BatchItem(new(TestPrograms.QuickChildPath))]).Should().ContainSingle();
    });

    [Fact]
    public void Lines_AreAList()
    {
        IReadOnlyList<string> lines = TestPrograms.Quick("print", "a\nb\r\nc").Run().StandardOutput.Lines();
        lines.Should().Equal("a", "b", "c");
    }

    private static string Output(ProcessCommand command) => command.Run().StandardOutput.Text;
}
