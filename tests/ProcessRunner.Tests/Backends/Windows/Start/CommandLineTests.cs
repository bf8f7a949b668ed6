using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Windows.Start;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows.Start;

/// <summary>
/// Verifies the command lines that programs on Windows take apart: against lines from the documentation of the C
/// runtime, and against a second implementation of its rules.
/// </summary>
public sealed class CommandLineTests
{
    private static readonly string[] s_hard =
    [
        "plain", "", " ", "a b", "tab\there", "new\nline", "vertical\vtab", "return\rhere", "\"", "\"\"", "\"quoted\"",
        "\\", "\\\\", "\\\\\\", "a\\", "a b\\", "a b\\\\", "a\\\"b", "\\\"", "\\\\\"", "a\\\\\"b c", "a\"b\"c", "\"a",
        "a\"", "'single'", "%PATH%", "^&|<>()!", "ä€😀", @"C:\Program Files\x\", @"\\server\share\", "--name=value x",
        "*.txt", "?", "/c", "@file", " lead", "trail ", "a\\ b", "\\ ", " \\", "\\ \"", "{\"k\": \"v\\\\\"}",
    ];

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("", "\"\"")]
    [InlineData("a b", "\"a b\"")]
    [InlineData("a\tb", "\"a\tb\"")]
    [InlineData("\"", "\"\\\"\"")]
    [InlineData("a\\b", "a\\b")]
    [InlineData("a\\", "a\\")]
    [InlineData("a b\\", "\"a b\\\\\"")]
    [InlineData("a\\\"b", "\"a\\\\\\\"b\"")]
    public void Argument_IsQuotedAsTheCRuntimeWantsIt(string argument, string quoted) =>
        CommandLine.ForProgram("p", [argument]).Should().Be($"\"p\" {quoted}");

    [Fact]
    public void HardArguments_ComeBackTheSame()
    {
        string line = CommandLine.ForProgram(@"C:\a b\p", [.. s_hard]);
        Parse(line).Should().Equal([@"C:\a b\p", .. s_hard]);
    }

    [Fact]
    public void EveryShortTextOfQuotesBackslashesAndSpaces_ComesBackTheSame()
    {
        const string Letters = "\"\\ a";
        string[] texts = [""];
        for (int length = 1; length <= 5; length++)
        {
            texts = [.. texts.SelectMany(text => Letters.Select(letter => text + letter))];
            Parse(CommandLine.ForProgram("p", [.. texts])).Skip(1).Should().Equal(texts);
        }
    }

    [Fact]
    public void NameWithAQuote_IsNoFile() =>
        FluentActions.Invoking(() => CommandLine.ForProgram("a\" b", []))
            .Should().Throw<LaunchException>().Which.Step.Should().Be(LaunchStep.NotFound);

    [Fact]
    public void LineOfTheGreatestLength_IsPossible_AndOneCharacterMoreIsNot()
    {
        const int NameQuotesAndSpace = 4;
        string longest = new('x', CommandLine.Longest - NameQuotesAndSpace);
        CommandLine.ForProgram("p", [longest]).Should().HaveLength(CommandLine.Longest);
        FluentActions.Invoking(() => CommandLine.ForProgram("p", [longest + "x"]))
            .Should().Throw<LaunchException>().Which.Step.Should().Be(LaunchStep.TooLarge);
    }

    // By the rules of CommandLineToArgvW: two backslashes before a quote are one, and an odd one makes the quote a
    // letter.
    private static List<string> Parse(string line)
    {
        int nameEnd = line.IndexOf('"', 1);
        List<string> words = [line[1..nameEnd]];
        int i = nameEnd + 1;
        while (i < line.Length)
        {
            i += line[i..].TakeWhile(c => c is ' ' or '\t').Count();
            StringBuilder word = new();
            bool isQuoted = false;
            for (; i < line.Length && (isQuoted || line[i] is not (' ' or '\t')); i++)
            {
                int backslashes = line[i..].TakeWhile(c => c == '\\').Count();
                i += backslashes;
                bool isAtQuote = i < line.Length && line[i] == '"';
                word.Append('\\', isAtQuote ? backslashes / 2 : backslashes);
                if (isAtQuote && backslashes % 2 == 0)
                {
                    isQuoted = !isQuoted;
                }
                else if (i < line.Length && (isAtQuote || backslashes == 0))
                {
                    word.Append(line[i]);
                }
                else
                {
                    i--;
                }
            }

            words.Add(word.ToString());
        }

        return words;
    }
}
