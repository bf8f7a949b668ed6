using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Backends.Windows.Start;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows.Start;

/// <summary>Verifies the command lines that make cmd.exe run a batch file and nothing else.</summary>
public sealed class BatchCommandLineTests
{
    private const string Path = @"C:\a b\x.cmd";
    private const string Start = "cmd.exe /e:ON /v:OFF /d /c \"\"C:\\a b\\x.cmd\"";

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData(@"--a-b_c.d/e:f?g@h#i$j*k+l\m", @"--a-b_c.d/e:f?g@h#i$j*k+l\m")]
    [InlineData("ä€", "ä€")]
    [InlineData("", "\"\"")]
    [InlineData("a b", "\"a b\"")]
    [InlineData("a&b", "\"a&b\"")]
    [InlineData("a,b;c=d", "\"a,b;c=d\"")]
    [InlineData("(a)^|<>!'`~[]{}", "\"(a)^|<>!'`~[]{}\"")]
    [InlineData("x\\", "\"x\\\\\"")]
    [InlineData("a b\\\\", "\"a b\\\\\\\\\"")]
    [InlineData("\"&echo INJECTED", "\"\"\"&echo INJECTED\"")]
    [InlineData("a\\\"b", "\"a\\\\\"\"b\"")]
    [InlineData("%PATH%", "\"%%cd:~,%PATH%%cd:~,%\"")]
    [InlineData("\u0085", "\"\u0085\"")]
    [InlineData("a\u00A0b", "\"a\u00A0b\"")]
    public void Argument_IsQuotedForTheInterpreter(string argument, string quoted) =>
        BatchCommandLine.Compose(Path, [argument]).Should().Be($"{Start} {quoted}\"");

    [Fact]
    public void PercentSign_InThePath_IsNoVariable() =>
        BatchCommandLine.Compose(@"C:\%TEMP%\x.cmd", [])
            .Should().Be("cmd.exe /e:ON /v:OFF /d /c \"\"C:\\%%cd:~,%TEMP%%cd:~,%\\x.cmd\"\"");

    [Theory]
    [InlineData("a\rb")]
    [InlineData("a\nb")]
    [InlineData("\r\n")]
    [InlineData("a\0b")]
    public void Argument_WithALineBreak_IsRefused(string argument) =>
        FluentActions.Invoking(() => BatchCommandLine.Compose(Path, ["plain", argument]))
            .Should().Throw<LaunchException>().Which.Step.Should().Be(LaunchStep.Other);

    [Fact]
    public void Line_LongerThanTheInterpreterTakes_IsRefused()
    {
        const int Longest = 8191;
        string argument = new('x', Longest - Start.Length - 2);
        BatchCommandLine.Compose(Path, [argument]).Should().HaveLength(Longest);
        FluentActions.Invoking(() => BatchCommandLine.Compose(Path, [argument + "x"]))
            .Should().Throw<LaunchException>().Which.Step.Should().Be(LaunchStep.TooLarge);
    }

    [Theory]
    [InlineData(@"C:\x.bat", true)]
    [InlineData(@"C:\x.CMD", true)]
    [InlineData(@"C:\x.bat.", true)]
    [InlineData(@"C:\x.cmd . ", true)]
    [InlineData(@"C:\x.exe", false)]
    [InlineData(@"C:\x", false)]
    [InlineData(@"C:\x.cmd.exe", false)]
    [InlineData(@"C:\bat", false)]
    public void Interpreter_RunsBatchFilesAlone(string path, bool isNeeded) =>
        BatchFile.Is(path).Should().Be(isNeeded);
}
