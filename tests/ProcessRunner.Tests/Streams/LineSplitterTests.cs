using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies the splitter of live lines against a reference that has the whole text at once.</summary>
public sealed class LineSplitterTests
{
    private const int Cases = 100_000;

    private static readonly DateTimeOffset s_instant = DateTimeOffset.UnixEpoch;

    private static readonly string[] s_parts =
    [
        "\n", "\n", "\r\n", "\r\n", "\r", "a", "bc", "12345678", "ä", "€", "😀", "\uFEFF", "\0", "\u0085", "\u2028",
        "\f", "\r\r\n",
    ];

    private static readonly string[] s_separators = ["\0", "a", "aa", "\n", "\r\r\n", "bca", "1234567812", "😀", "ä€"];

    private static readonly byte[][] s_badParts =
    [
        [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80], [0xED, 0xA0, 0x80], [0xF5], [0xC0, 0xAF],
        [0xEF, 0xBB, 0xBF],
    ];

    private static readonly Encoding[] s_encodings =
    [
        Encoding.UTF8, Encoding.UTF8, Encoding.UTF8, Encoding.Unicode, Encoding.BigEndianUnicode, Encoding.UTF32,
        Encoding.Latin1,
        Encoding.ASCII,
        new UTF8Encoding(encoderShouldEmitUTF8Identifier: true, throwOnInvalidBytes: true),
    ];

    [Fact]
    public void Lines_OfRandomBytesSplitAnywhere_AgreeWithASimpleReference()
    {
        Random random = new(2024);
        for (int round = 0; round < Cases; round++)
        {
            Encoding encoding = s_encodings[random.Next(s_encodings.Length)];
            byte[] bytes = RandomBytes(random, encoding);
            LineOptions options = new()
            {
                MaxLength = random.Next(3) == 0 ? random.Next(1, 12) : 1_000_000,
                SplitAtCarriageReturn = random.Next(2) == 0,
                Separator = random.Next(2) == 0 ? null : s_separators[random.Next(s_separators.Length)],
            };
            List<(string Content, bool IsPartial)> actual = Split(bytes, encoding, options, random);
            List<(string Content, bool IsPartial)> expected = Reference(Decoded(bytes, encoding), options);
            if (!actual.SequenceEqual(expected))
            {
                actual.Should().Equal(
                    expected, $"round {round}, {encoding.WebName}, {options}, {Convert.ToHexString(bytes)}");
            }
        }
    }

    [Fact]
    public void Lines_OfATextWithoutOptions_AreThoseOfTheCapture()
    {
        Random random = new(2025);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] bytes = RandomBytes(random, Encoding.UTF8);
            string text = TextDecoder.Decode(new System.Buffers.ReadOnlySequence<byte>(bytes), Encoding.UTF8);
            Split(bytes, Encoding.UTF8, new LineOptions(), random).Select(line => line.Content)
                .SequenceEqual(TextDecoder.Lines(text), StringComparer.Ordinal)
                .Should().BeTrue($"round {round}, {Convert.ToHexString(bytes)}");
        }
    }

    // An empty feed continues where the previous feed lacked memory.
    [Fact]
    public void Lines_ThatAreNotTaken_ComeAgainAndAreTheSame()
    {
        Random random = new(2026);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] bytes = RandomBytes(random, Encoding.UTF8);
            LineOptions options = new()
            {
                MaxLength = random.Next(3) == 0 ? random.Next(1, 12) : 1_000_000,
                SplitAtCarriageReturn = random.Next(2) == 0,
            };
            List<(string Content, bool IsPartial)> expected = Split(bytes, Encoding.UTF8, options, random);
            Split(bytes, Encoding.UTF8, options, random, lacksMemory: () => random.Next(2) == 0).SequenceEqual(expected)
                .Should().BeTrue($"round {round}, {options}, {Convert.ToHexString(bytes)}");
        }
    }

    [Theory]
    [InlineData(4095)]
    [InlineData(4096)]
    [InlineData(4097)]
    [InlineData(65_536)]
    [InlineData(1_048_575)]
    [InlineData(1_048_576)]
    [InlineData(1_048_577)]
    public void Line_AroundAnInternalBoundary_IsWholeOrInFlaggedPieces(int length)
    {
        string line = string.Concat(Enumerable.Range(0, length).Select(i => (char)('a' + (i % 26))));
        List<(string Content, bool IsPartial)> lines = Split(
            Encoding.UTF8.GetBytes($"{line}\nrest"), Encoding.UTF8, new LineOptions(), new Random(length));
        lines.Count(one => one.IsPartial).Should().Be(length > 1_048_576 ? 1 : 0);
        string.Concat(lines.Select(one => one.Content)).Should().HaveLength(length + 4).And.EndWith("rest");
    }

    [Theory]
    [InlineData("abc\r\nd", "abc|d")]
    [InlineData("abcdef\r\n\r\ng", "abc+|def||g")]
    [InlineData("abcd\r\n", "abc+|d")]
    [InlineData("abc\r", "abc+|\r")]
    [InlineData("abc\rd\n", "abc+|\rd")]
    [InlineData("ab\r\r\nc", "ab\r|c")]
    [InlineData("abc\r\r\n", "abc+|\r")]
    [InlineData("ab😀c\n", "ab+|😀c")]
    [InlineData("a😀😀😀\r\n", "a😀+|😀+|😀")]
    public void Piece_OfALineWithThreeCharacters_LeavesNoEmptyLineAndNoHalfCharacter(string text, string expected)
    {
        for (int seed = 0; seed < 30; seed++)
        {
            List<(string Content, bool IsPartial)> lines = Split(
                Encoding.UTF8.GetBytes(text), Encoding.UTF8, new LineOptions { MaxLength = 3 }, new Random(seed));
            string.Join('|', lines.Select(line => line.IsPartial ? $"{line.Content}+" : line.Content))
                .Should().Be(expected);
        }
    }

    [Fact]
    public void MaxLength_OfTheLargestInteger_LimitsNothing()
    {
        List<(string Content, bool IsPartial)> lines = Split(
            "one\ntwo\n"u8.ToArray(), Encoding.UTF8, new LineOptions { MaxLength = int.MaxValue }, new Random(1));
        lines.Should().Equal(("one", false), ("two", false));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void MaxLength_BelowOne_IsRefused(int length)
    {
        Action options = () => _ = new LineOptions { MaxLength = length };
        options.Should().Throw<ArgumentOutOfRangeException>();
    }

    private static byte[] RandomBytes(Random random, Encoding encoding)
    {
        List<byte> bytes = [];
        if (random.Next(4) == 0)
        {
            bytes.AddRange(encoding.GetPreamble());
        }

        for (int parts = random.Next(24); parts > 0; parts--)
        {
            bytes.AddRange(random.Next(8) == 0
                ? s_badParts[random.Next(s_badParts.Length)]
                : encoding.GetBytes(s_parts[random.Next(s_parts.Length)]));
        }

        return [.. bytes];
    }

    private static List<(string Content, bool IsPartial)> Split(
        byte[] bytes, Encoding encoding, LineOptions options, Random random, Func<bool>? lacksMemory = null)
    {
        List<(string Content, bool IsPartial)> lines = [];
        LineSplitter splitter = new(encoding, options, ChildOutput.Error, line =>
        {
            if (!line.IsError || line.Timestamp != s_instant)
            {
                throw new InvalidOperationException($"{line}");
            }

            if (lacksMemory?.Invoke() == true)
            {
                throw new InsufficientMemoryException();
            }

            lines.Add((line.Content, line.IsPartial));
        });
        ReadOnlySpan<byte> rest = bytes;
        while (!rest.IsEmpty)
        {
            int count = random.Next(1, Math.Min(rest.Length, random.Next(2) == 0 ? 3 : 20_000) + 1);
            bool isFed = TryFeed(splitter, rest[..count]);
            while (!isFed)
            {
                isFed = TryFeed(splitter, []);
            }

            rest = rest[count..];
        }

        while (!TryFlush(splitter))
        {
        }

        return lines;
    }

    private static bool TryFeed(LineSplitter splitter, ReadOnlySpan<byte> bytes)
    {
        try
        {
            splitter.Feed(bytes, s_instant);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private static bool TryFlush(LineSplitter splitter)
    {
        try
        {
            splitter.Flush();
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private static string Decoded(byte[] bytes, Encoding encoding)
    {
        Encoding lenient = (Encoding)encoding.Clone();
        lenient.DecoderFallback = new DecoderReplacementFallback("\uFFFD");
        string text = lenient.GetString(bytes);
        return text is ['\uFEFF', ..] ? text[1..] : text;
    }

    private static List<(string Content, bool IsPartial)> Reference(string text, LineOptions options)
    {
        List<(string Content, bool IsPartial)> lines = [];
        int start = 0;
        while (start < text.Length && options.Separator is string separator)
        {
            int found = text.IndexOf(separator, start, StringComparison.Ordinal);
            AddPieces(lines, found < 0 ? text[start..] : text[start..found], options);
            start = found < 0 ? text.Length : found + separator.Length;
        }

        while (start < text.Length)
        {
            int end = start;
            while (end < text.Length && text[end] != '\n' && !(options.SplitAtCarriageReturn && text[end] == '\r'))
            {
                end++;
            }

            bool endsAtLineFeed = end < text.Length && text[end] == '\n';
            string raw = text[start..(endsAtLineFeed && end > start && text[end - 1] == '\r' ? end - 1 : end)];
            AddPieces(lines, raw, options);
            bool isPair = options.SplitAtCarriageReturn
                && end + 1 < text.Length && text[end] == '\r' && text[end + 1] == '\n';
            start = end + (isPair ? 2 : 1);
        }

        return lines;
    }

    private static void AddPieces(List<(string Content, bool IsPartial)> lines, string raw, LineOptions options)
    {
        while (PieceOf(raw, options.MaxLength) is int piece && piece < raw.Length)
        {
            lines.Add((raw[..piece], true));
            raw = raw[piece..];
        }

        lines.Add((raw, false));
    }

    // A piece has this many characters: one fewer, or two instead of one, where it would split a pair.
    private static int PieceOf(string raw, int most) =>
        raw.Length > most && char.IsSurrogatePair(raw, most - 1) ? Math.Max(2, most - 1) : Math.Min(most, raw.Length);
}
