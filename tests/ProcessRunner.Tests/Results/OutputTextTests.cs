using System.Buffers;
using System.IO;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class OutputTextTests
{
    [Fact]
    public void Bytes_OfEveryValue_StayAsTheyAre() => Guard.Run(() =>
    {
        byte[] all = [.. Enumerable.Range(0, 256).Select(value => (byte)value)];
        Printed(all).StandardOutput.Bytes.ToArray().Should().Equal(all);
    });

    [Fact]
    public void InvalidUtf8_IsReplacedInTheTextAndKeptInTheBytes() => Guard.Run(() =>
    {
        byte[] bytes = [(byte)'a', 0xFF, (byte)'b', 0xC3, (byte)'c', 0xE2, 0x82];
        CapturedOutput output = Printed(bytes).StandardOutput;
        output.Text.Should().Be("a\uFFFDb\uFFFDc\uFFFD");
        output.Bytes.ToArray().Should().Equal(bytes);
    });

    [Fact]
    public void NulBytes_StayInTheText() => Guard.Run(() =>
        Printed([0, (byte)'a', 0]).StandardOutput.Text.Should().Be("\0a\0"));

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    [InlineData("utf-32")]
    public void ByteOrderMark_IsLeftOutOfTheTextAndKeptInTheBytes(string name) => Guard.Run(() =>
    {
        Encoding encoding = Encoding.GetEncoding(name);
        byte[] bytes = [.. encoding.GetPreamble(), .. encoding.GetBytes("ä€😀\n")];
        CapturedOutput output = Printed(bytes, encoding).StandardOutput;
        output.Text.Should().Be("ä€😀\n");
        output.Bytes.ToArray().Should().Equal(bytes);
    });

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    [InlineData("utf-32")]
    public void Text_WithoutByteOrderMark_IsComplete(string name) => Guard.Run(() =>
    {
        Encoding encoding = Encoding.GetEncoding(name);
        Printed(encoding.GetBytes("ä€😀"), encoding).StandardOutput.Text.Should().Be("ä€😀");
    });

    [Fact]
    public void SecondByteOrderMark_StaysInTheText() => Guard.Run(() =>
        Printed([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]).StandardOutput.Text.Should().Be("\uFEFF"));

    [Fact]
    public void Latin1_MakesACharacterOfEveryByte() => Guard.Run(() =>
    {
        CapturedOutput output = Printed([0xE4, 0xFF, 0xEF, 0xBB, 0xBF], Encoding.Latin1).StandardOutput;
        output.Text.Should().Be("äÿï»¿");
    });

    [Fact]
    public void Ascii_ReplacesWhatItDoesNotHave() => Guard.Run(() =>
        Printed([(byte)'a', 0xE4], Encoding.ASCII).StandardOutput.Text.Should().Be("a\uFFFD"));

    [Fact]
    public void EncodingThatThrows_ReplacesAllTheSame() => Guard.Run(() =>
    {
        UTF8Encoding throwing = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
        ProcessResult result = Printed([0xFF, (byte)'x'], throwing);
        result.StandardOutput.Text.Should().Be("\uFFFDx");
        result.Command.Encoding.Should().BeSameAs(throwing);
    });

    [Fact]
    public void EncodingWithAnotherReplacement_StillReplacesByUFFFD() => Guard.Run(() =>
    {
        Encoding own =
            Encoding.GetEncoding("utf-8", EncoderFallback.ReplacementFallback, new DecoderReplacementFallback("?"));
        Printed([0xFF], own).StandardOutput.Text.Should().Be("\uFFFD");
    });

    [Fact]
    public void StandardError_HasTheSameEncoding() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        File.WriteAllBytes(directory.At("bytes"), [0xE4]);
        ProcessCommand command =
            TestPrograms.Quick("cat-err", directory.At("bytes")) with { Encoding = Encoding.Latin1 };
        command.Run().StandardError.Text.Should().Be("ä");
    });

    private static ProcessResult Printed(byte[] bytes, Encoding? encoding = null)
    {
        using TemporaryDirectory directory = new();
        File.WriteAllBytes(directory.At("bytes"), bytes);
        ProcessCommand command = TestPrograms.Quick("cat", directory.At("bytes"));
        return (command with { Encoding = encoding ?? Encoding.UTF8 }).Run();
    }
}
