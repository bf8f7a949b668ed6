using System;
using System.Collections.Generic;
using System.Text;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

/// <summary>Verifies that misuse is reported at once as an argument error, before anything is started.</summary>
public sealed class MisuseTests
{
    private static readonly ProcessCommand s_command = TestPrograms.Quick();

    [Fact]
    public void Command_WithNullFileName_Throws() =>
        Throws<ArgumentNullException>(() => new ProcessCommand(null!), "fileName");

    [Fact]
    public void Command_WithEmptyFileName_Throws() =>
        Throws<ArgumentException>(() => new ProcessCommand(""), "fileName");

    [Fact]
    public void Command_WithNulInFileName_Throws() =>
        Throws<ArgumentException>(() => new ProcessCommand("tr\0ue"), "fileName");

    [Fact]
    public void Command_WithNullArguments_Throws() =>
        Throws<ArgumentNullException>(() => new ProcessCommand("true", (IEnumerable<string>)null!), "arguments");

    [Fact]
    public void Command_WithNullAmongArguments_Throws() =>
        Throws<ArgumentNullException>(() => new ProcessCommand("true", "a", null!), "arguments");

    [Fact]
    public void Command_WithNulInArgument_ThrowsAndShowsWhere() =>
        Throws<ArgumentException>(() => new ProcessCommand("true", "a", "b\0c"), "arguments")
            .Message.Should().Contain("b\\0c");

    [Fact]
    public void WithArguments_OfNullOrNul_Throws()
    {
        Throws<ArgumentNullException>(() => s_command.WithArguments((IEnumerable<string>)null!), "arguments");
        Throws<ArgumentNullException>(() => s_command.WithArguments("a", null!), "arguments");
        Throws<ArgumentException>(() => s_command.WithArguments("\0"), "arguments");
    }

    [Theory]
    [InlineData("")]
    [InlineData("/tm\0p")]
    public void WorkingDirectory_EmptyOrWithNul_Throws(string directory) =>
        Throws<ArgumentException>(() => s_command with { WorkingDirectory = directory });

    // A path of the system ends at a NUL: it would be another file.
    [Theory]
    [InlineData("")]
    [InlineData("log\0.txt")]
    public void File_EmptyOrWithNul_Throws(string path)
    {
        Throws<ArgumentException>(() => s_command with { StandardInput = InputSource.FromFile(path) }, "path");
        Throws<ArgumentException>(() => s_command with { StandardOutput = OutputTarget.ToFile(path) }, "path");
        Throws<ArgumentException>(() => s_command with { StandardError = OutputTarget.ToFile(path, true) }, "path");
    }

    [Fact]
    public void WorkingDirectory_Null_IsTheCallers() =>
        (s_command with { WorkingDirectory = null }).WorkingDirectory.Should().BeNull();

    [Theory]
    [InlineData("", "value")]
    [InlineData("A=B", "value")]
    [InlineData("A\0B", "value")]
    [InlineData("A", "val\0ue")]
    public void Environment_WithBadNameOrNul_Throws(string name, string value) =>
        Throws<ArgumentException>(
            () => s_command with { Environment = new Dictionary<string, string?> { [name] = value } });

    [Fact]
    public void Options_SetToNull_Throw()
    {
        Throws<ArgumentNullException>(() => s_command with { Environment = null! });
        Throws<ArgumentNullException>(() => s_command with { Encoding = null! });
        Throws<ArgumentNullException>(() => s_command with { ExitCodes = null! });
    }

    [Fact]
    public void Timeout_Negative_Throws() =>
        Throws<ArgumentOutOfRangeException>(() => s_command with { Timeout = TimeSpan.FromMilliseconds(-2) });

    [Fact]
    public void Encoding_IsUtf8ByDefault() => s_command.Encoding.Should().BeSameAs(Encoding.UTF8);

    [Fact]
    public void Environment_ChangedByTheCallerAfterwards_DoesNotChangeTheCommand()
    {
        Dictionary<string, string?> variables = new() { ["A"] = "1" };
        ProcessCommand command = s_command with { Environment = variables };
        variables["A"] = "2";
        command.Environment["A"].Should().Be("1");
    }

    private static TException Throws<TException>(Func<ProcessCommand> make, string? parameter = null)
        where TException : ArgumentException
    {
        TException error = make.Should().ThrowExactly<TException>().Which;
        if (parameter is not null)
        {
            error.ParamName.Should().Be(parameter);
        }

        return error;
    }
}
