using System;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

public sealed class ArgumentTests
{
    public static TheoryData<string> Difficult =>
    [
        "", " ", "  two  spaces  ", "\t", "\n", "a\nb", "\r\n", "\"", "\"quoted\"", "'", "it's", "\\", "\\\\", "a\\",
        "\\\"",
        "$HOME", "${HOME}", "$(id)", "`id`", "*", "?", "[a]", "~", "!", "#", ";", "&", "|", "<", ">", "-", "--", "-n",
        "--help", "a=b", "%s", "%", "\u0001", "\u007F", "ä", "€", "😀", "e\u0301", "\u202E", "日本語", "\uFEFF",
    ];

    [Theory]
    [MemberData(nameof(Difficult))]
    public void Argument_OfAnyKind_ArrivesAsItIs(string argument) => Guard.Run(() =>
        Received(argument, "next").Should().Equal(argument, "next"));

    [Fact]
    public void Arguments_ThousandsOfThem_ArriveInOrder() => Guard.Run(() =>
    {
        string[] arguments = [.. Enumerable.Range(0, 5000).Select(number => $"argument {number}")];
        Received(arguments).Should().Equal(arguments);
    });

    [Fact]
    public void Arguments_RandomOnes_ArriveAsTheyAre() => Guard.Run(() =>
    {
        Random random = new(20130713);
        for (int i = 0; i < 100; i++)
        {
            string[] arguments = [.. Enumerable.Range(0, random.Next(1, 10)).Select(_ => RandomText(random))];
            Received(arguments).Should().Equal(arguments);
        }
    });

    [NativeBackend(".NET passes the path of the program as its name")]
    [Theory]
    [InlineData("cat")]
    [InlineData("/bin/cat")]
    public void NameOfTheProgram_ArrivesAsItWasGiven(string fileName) => Guard.Run(() =>
        new ProcessCommand(fileName, "/proc/self/cmdline").Run().StandardOutput.Text
            .Should().Be($"{fileName}\0/proc/self/cmdline\0"));

    private static string[] Received(params string[] arguments)
    {
        string text = TestPrograms.Shell("printf '%s\\0' \"$@\"", arguments).Run().EnsureSuccess().StandardOutput.Text;

        // A byte order mark at the very beginning is not part of a text.
        text = arguments[0].StartsWith('\uFEFF') ? '\uFEFF' + text : text;
        return text.Split('\0')[..^1];
    }

    private static string RandomText(Random random)
    {
        StringBuilder text = new();
        for (int length = random.Next(50); length > 0; length--)
        {
            text.Append(new Rune(random.Next(4) == 0 ? random.Next(0xE000, 0x10FFFF) : random.Next(1, 128)));
        }

        return text.ToString();
    }
}
