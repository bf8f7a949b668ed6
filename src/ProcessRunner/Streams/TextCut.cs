using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace ProcessRunner.Streams;

/// <summary>
/// Finds where the text of truncated output ends and resumes: at whole characters of the Unicode encodings, regardless
/// of the byte at which the output was cut. For other encodings, every byte counts as the first of a character.
/// </summary>
internal static class TextCut
{
    private const int LongestCharacter = 4;
    private const int CodePageUtf8 = 65001;
    private const int CodePageUtf16 = 1200;
    private const int CodePageUtf16BigEndian = 1201;
    private const int CodePageUtf32 = 12000;
    private const int CodePageUtf32BigEndian = 12001;

    /// <summary>Removes an incomplete character at the end of the head of truncated output.</summary>
    /// <param name="head">The bytes from the beginning of the stream.</param>
    /// <param name="encoding">The encoding of the bytes.</param>
    public static ReadOnlySequence<byte> WholeHead(ReadOnlySequence<byte> head, Encoding encoding)
    {
        int unit = UnitOf(encoding);
        head = head.Slice(0, head.Length - (head.Length % unit));
        Span<byte> scratch = stackalloc byte[LongestCharacter];
        ReadOnlySpan<byte> last = Copy(head.Slice(Math.Max(0, head.Length - LongestCharacter)), scratch);
        return head.Slice(0, head.Length - (encoding.CodePage == CodePageUtf8
            ? BegunUtf8(last)
            : last.Length >= 2 && IsSurrogate(last[^2..], encoding, char.IsHighSurrogate) ? 2 : 0));
    }

    /// <summary>Removes an incomplete character at the beginning of the tail of truncated output.</summary>
    /// <param name="tail">The bytes up to the end of the stream.</param>
    /// <param name="start">The position of the tail in the stream.</param>
    /// <param name="encoding">The encoding of the bytes.</param>
    public static ReadOnlySequence<byte> WholeTail(ReadOnlySequence<byte> tail, long start, Encoding encoding)
    {
        int unit = UnitOf(encoding);
        tail = tail.Slice(Math.Min(tail.Length, (unit - (start % unit)) % unit));
        Span<byte> scratch = stackalloc byte[LongestCharacter];
        ReadOnlySpan<byte> first = Copy(tail.Slice(0, Math.Min(tail.Length, LongestCharacter)), scratch);
        return tail.Slice(encoding.CodePage == CodePageUtf8
            ? ContinuedUtf8(first)
            : first.Length >= 2 && IsSurrogate(first[..2], encoding, char.IsLowSurrogate) ? 2 : 0);
    }

    private static int UnitOf(Encoding encoding) => encoding.CodePage switch
    {
        CodePageUtf16 or CodePageUtf16BigEndian => 2,
        CodePageUtf32 or CodePageUtf32BigEndian => 4,
        _ => 1,
    };

    private static ReadOnlySpan<byte> Copy(ReadOnlySequence<byte> bytes, Span<byte> scratch)
    {
        bytes.CopyTo(scratch);
        return scratch[..(int)bytes.Length];
    }

    // Returns how many of the last bytes begin an incomplete character.
    private static int BegunUtf8(ReadOnlySpan<byte> last)
    {
        for (int count = 1; count < LongestCharacter && count <= last.Length; count++)
        {
            if (Rune.DecodeFromUtf8(last[^count..], out _, out _) == OperationStatus.NeedMoreData)
            {
                return count;
            }
        }

        return 0;
    }

    // Returns how many of the first bytes can be the rest of a character.
    private static int ContinuedUtf8(ReadOnlySpan<byte> first)
    {
        int count = 0;
        while (count < LongestCharacter - 1 && count < first.Length && (first[count] & 0xC0) == 0x80)
        {
            count++;
        }

        return count;
    }

    private static bool IsSurrogate(ReadOnlySpan<byte> unit, Encoding encoding, Func<char, bool> isSurrogate) =>
        encoding.CodePage switch
        {
            CodePageUtf16 => isSurrogate((char)BinaryPrimitives.ReadUInt16LittleEndian(unit)),
            CodePageUtf16BigEndian => isSurrogate((char)BinaryPrimitives.ReadUInt16BigEndian(unit)),
            _ => false,
        };
}
