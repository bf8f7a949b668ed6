using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using Xunit;

namespace ProcessRunner.Tests.Streams;

public sealed class TextDecoderTests
{
    private static readonly SegmentPool s_pool = new(new CaptureBudget(long.MaxValue));

    public static TheoryData<string> Encodings => ["utf-8", "utf-16", "utf-16BE", "utf-32", "iso-8859-1", "us-ascii"];

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Text_OfBytesThatCameInRandomPieces_IsTheSameAsOfAllAtOnce(string name)
    {
        Encoding encoding = Encoding.GetEncoding(name);
        Random random = new(72);
        for (int round = 0; round < 200; round++)
        {
            string text = RandomText(random, encoding.IsSingleByte);
            SegmentChain chain = default;
            ReadOnlySpan<byte> rest = encoding.GetBytes(text);
            while (!rest.IsEmpty)
            {
                int count = random.Next(1, Math.Min(rest.Length, 300) + 1);
                chain.Append(rest[..count], s_pool);
                rest = rest[count..];
            }

            TextDecoder.Decode(chain.Bytes, encoding).Equals(text, StringComparison.Ordinal).Should().BeTrue();
        }
    }

    [Fact]
    public void Text_OfRandomBytes_IsWhatTheEncodingMakesOfAllAtOnce()
    {
        Random random = new(73);
        for (int round = 0; round < 200; round++)
        {
            byte[] bytes = new byte[random.Next(2000)];
            random.NextBytes(bytes);
            SegmentChain chain = default;
            foreach (byte[] piece in bytes.Chunk(random.Next(1, 700)))
            {
                chain.Append(piece, s_pool);
            }

            TextDecoder.Decode(chain.Bytes, Encoding.UTF8).Equals(
                Encoding.UTF8.GetString(bytes), StringComparison.Ordinal)
                .Should().BeTrue();
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("é")]
    [InlineData("\uFEFF")]
    public void Text_OfAsciiInManyPieces_IsTheSameWhateverStandsAtItsEnd(string last)
    {
        string text = string.Concat(Enumerable.Range(0, 50_000)) + last;
        foreach (int size in (int[])[1000, 4097, 65_536])
        {
            SegmentChain chain = default;
            foreach (byte[] piece in Encoding.UTF8.GetBytes(text).Chunk(size))
            {
                chain.Append(piece, s_pool);
            }

            TextDecoder.Decode(chain.Bytes, Encoding.UTF8).Equals(text, StringComparison.Ordinal).Should().BeTrue();
        }
    }

    [Fact]
    public void Lines_OfRandomText_AgreeWithASimpleReference()
    {
        Random random = new(74);
        for (int round = 0; round < 5000; round++)
        {
            string text = string.Concat(Enumerable.Range(0, random.Next(12)).Select(_ => "ab\r\n\n\r"[random.Next(6)]));
            TextDecoder.Lines(text).Should().Equal(ReferenceLines(text));
        }
    }

    private static IEnumerable<string> ReferenceLines(string text)
    {
        string[] parts = text.Split('\n');
        for (int i = 0; i < parts.Length; i++)
        {
            bool isLast = i == parts.Length - 1;
            if (isLast && parts[i].Length == 0)
            {
                yield break;
            }

            yield return !isLast && parts[i].EndsWith('\r') ? parts[i][..^1] : parts[i];
        }
    }

    private static string RandomText(Random random, bool asciiOnly)
    {
        StringBuilder text = new();
        for (int length = random.Next(500); length > 0; length--)
        {
            text.Append(new Rune(asciiOnly || random.Next(3) == 0 ? random.Next(1, 128) : random.Next(0xE000, 0xFE00)));
            if (!asciiOnly)
            {
                text.Append(new Rune(random.Next(0x10000, 0x10FFFF)));
            }
        }

        return text.ToString();
    }
}
