using System;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
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
        // A command line of Windows has 32,766 characters at most.
        int count = OperatingSystem.IsWindows() ? 1_500 : 5_000;
        string[] arguments = [.. Enumerable.Range(0, count).Select(number => $"argument {number}")];
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

    [OnlyOn(Systems.Linux, "the name comes from /proc")]
    [NativeBackend(".NET passes the path of the program as its name")]
    [Theory]
    [InlineData("cat")]
    [InlineData("/bin/cat")]
    public void NameOfTheProgram_ArrivesAsItWasGiven(string fileName) => Guard.Run(() =>
        new ProcessCommand(fileName, "/proc/self/cmdline").Run().StandardOutput.Text
            .Should().Be($"{fileName}\0/proc/self/cmdline\0"));

    private static string[] Received(params string[] arguments)
    {
        ProcessResult result = TestPrograms.Child(["args", .. arguments]).Run().EnsureSuccess();
        return [.. result.StandardOutput.Lines().Select(line => Encoding.UTF8.GetString(Convert.FromHexString(line)))];
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
