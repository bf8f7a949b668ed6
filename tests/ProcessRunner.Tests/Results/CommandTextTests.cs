using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class CommandTextTests
{
    [Theory]
    [InlineData("git status --short", "git", "status", "--short")]
    [InlineData("/usr/bin/env A=b", "/usr/bin/env", "A=b")]
    [InlineData("a ''", "a", "")]
    [InlineData("a 'b c'", "a", "b c")]
    [InlineData("'a b' c", "a b", "c")]
    [InlineData("a 'it'\\''s'", "a", "it's")]
    [InlineData("a '$HOME' '*' '~'", "a", "$HOME", "*", "~")]
    [InlineData("a '\"' '\\'", "a", "\"", "\\")]
    [InlineData("a 'ä€😀'", "a", "ä€😀")]
    [InlineData("a 'b\nc'", "a", "b\nc")]
    public void ToString_OfCommand_IsWhatAPosixShellTakes(
        string expected, string fileName, params string[] arguments) =>
        new ProcessCommand(fileName, arguments).ToString().Should().Be(expected);

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void ToString_OfCommand_ReadByAShell_GivesTheSameArguments() => Guard.Run(() =>
    {
        string[] arguments =
        [
            "%s\n", "", " ", "a b", "'", "''", "\"", "\\", "$HOME", "`id`", "!x", "*", "\t", "a\nb", "ä", "{a,b}", "#",
        ];
        ProcessCommand command = new("printf", arguments);
        ProcessResult throughShell = TestPrograms.Shell(command.ToString()).Run();
        throughShell.StandardOutput.Text.Should().Be(command.Run().StandardOutput.Text);
    });

    [Fact]
    public void WithArguments_MakesAVariant_AndLeavesTheCommand()
    {
        ProcessCommand command = new("a", "b") { WorkingDirectory = "/usr" };
        ProcessCommand variant = command.WithArguments("c", "d");
        command.Arguments.Should().Equal("b");
        variant.Arguments.Should().Equal("b", "c", "d");
        variant.WorkingDirectory.Should().Be("/usr");
    }
}
