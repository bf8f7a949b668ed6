using System;
using System.Linq;
using System.Text;
using FluentAssertions;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Capture;

/// <summary>
/// Verifies the text of a capture that a limit has truncated: it begins and ends with whole characters.
/// </summary>
public sealed class CutTextTests
{
    private static readonly SegmentPool s_pool = new(new CaptureBudget(long.MaxValue));

    public static TheoryData<string> Encodings => ["utf-8", "utf-16", "utf-16BE", "utf-32", "utf-32BE", "iso-8859-1"];

    [Theory]
    [MemberData(nameof(Encodings))]
    public void HeadAndTail_OfAnySizes_AreWholeCharactersAndTheRestIsCounted(string name)
    {
        Encoding encoding = Encoding.GetEncoding(name);
        string text = encoding.IsSingleByte ? "abcdefghij" : "aä€😀b\uFEFF😀€äz";
        byte[] all = encoding.GetBytes(text);
        for (int head = 1; head < all.Length; head++)
        {
            for (int tail = 1; head + tail < all.Length; tail++)
            {
                CapturedOutput output = Captured(all, encoding, head, tail);
                string begin = Characters(text, encoding, head, isHead: true);
                string end = Characters(text, encoding, tail, isHead: false);
                int leftOut = all.Length - encoding.GetByteCount(begin) - encoding.GetByteCount(end);
                output.Text.Should().Be($"{begin}\n[… {leftOut} bytes left out …]\n{end}", $"head {head}, tail {tail}");
                output.Bytes.Length.Should().Be(head + tail, "as many bytes are kept as requested");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Head_OfAnySize_EndsWithAWholeCharacter(string name)
    {
        Encoding encoding = Encoding.GetEncoding(name);
        string text = encoding.IsSingleByte ? "abcdefghij" : "aä€😀b😀€äz";
        byte[] all = encoding.GetBytes(text);
        for (int head = 1; head < all.Length; head++)
        {
            Captured(all, encoding, head, tail: 0).Text
                .Should().Be(Characters(text, encoding, head, isHead: true), $"head {head}");
        }
    }

    [Fact]
    public void Cut_ThroughBytesThatAreNoCharacters_TakesNoMoreThanACharacterAway()
    {
        byte[] all = [.. Enumerable.Repeat((byte)0x80, 20)];
        Captured(all, Encoding.UTF8, 8, 8).Text
            .Should().Be($"{new string('\uFFFD', 8)}\n[… 7 bytes left out …]\n{new string('\uFFFD', 5)}");
    }

    [Fact]
    public void Output_OfAChildThatIsCutThroughItsCharacters_HasNoReplacement() => Guard.Run(() =>
    {
        // The output has six characters of three bytes; the cuts are after the fourth byte and before the last four.
        ProcessCommand command =
            TestPrograms.Quick("print", "€€€€€€") with { StandardOutput = OutputTarget.Capture(8) };
        CapturedOutput output = command.Run().StandardOutput;
        output.Bytes.Length.Should().Be(8);
        output.Text.Should().Be("€\n[… 12 bytes left out …]\n€");
    });

    [Theory]
    [InlineData("us-ascii")]
    [InlineData("utf-8")]
    [InlineData("iso-8859-1")]
    public void Text_LongerThanAStringCanBe_IsRefusedBeforeThereIsMemoryForIt(string name)
    {
        CapturedOutput output = new(Repeated(1025), new Decoding(Encoding.GetEncoding(name)));
        ShouldBeTooLong(output);
        output.OpenRead().Length.Should().Be(1025L * SegmentPool.SegmentSize);
    }

    [Fact]
    public void Text_LongerThanAStringTogetherWithItsTail_IsRefusedBeforeThereIsMemoryForIt() => ShouldBeTooLong(
        new CapturedOutput(Repeated(1025), new Decoding(Encoding.UTF8))
        {
            TotalBytes = 5000L * SegmentPool.SegmentSize,
            HeadLength = 512L * SegmentPool.SegmentSize,
        });

    private static void ShouldBeTooLong(CapturedOutput output)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        Action read = () => _ = output.Text;
        read.Should().Throw<InvalidOperationException>().WithMessage("*OpenRead*");
        (GC.GetAllocatedBytesForCurrentThread() - before).Should().BeLessThan(100_000_000);
    }

    // The chain repeats the same bytes, because a gigabyte of distinct bytes would be a lot.
    private static SegmentChain Repeated(int count)
    {
        byte[] segment = new byte[SegmentPool.SegmentSize];
        Array.Fill(segment, (byte)'x');
        SegmentChain chain = default;
        for (int i = 0; i < count; i++)
        {
            chain.AppendOwned(segment);
        }

        return chain;
    }

    private static CapturedOutput Captured(byte[] bytes, Encoding encoding, int head, int tail)
    {
        LimitedCaptureSink sink = new(s_pool, head, tail, null);
        sink.Append(bytes);
        return sink.Captured(new Decoding(encoding), isHeldOpen: false);
    }

    // Gets the first or last characters that fit into a number of bytes.
    private static string Characters(string text, Encoding encoding, int bytes, bool isHead)
    {
        string[] all = [.. text.EnumerateRunes().Select(rune => rune.ToString())];
        string best = "";
        for (int count = 0; count <= all.Length; count++)
        {
            string part = string.Concat(isHead ? all[..count] : all[^count..]);
            best = encoding.GetByteCount(part) <= bytes ? part : best;
        }

        return best;
    }
}
