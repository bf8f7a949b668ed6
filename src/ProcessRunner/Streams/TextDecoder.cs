using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text;

namespace ProcessRunner.Streams;

/// <summary>Decodes captured bytes into text, and splits text into lines.</summary>
internal static class TextDecoder
{
    /// <summary>The byte order mark, which is no part of a text.</summary>
    public const char ByteOrderMark = '\uFEFF';

    private const string Replacement = "\uFFFD";
    private const int ScratchSize = 16 * 1024;

    // Not documented; the runtime throws OutOfMemoryException for a longer string (String.MaxLength in its sources).
    private const long LongestString = 0x3FFFFFDF;

    /// <summary>
    /// Returns the same encoding, except that undecodable bytes become U+FFFD regardless of its own fallback.
    /// </summary>
    public static Encoding Lenient(Encoding encoding)
    {
        if (encoding.DecoderFallback is not DecoderReplacementFallback { DefaultString: Replacement })
        {
            encoding = (Encoding)encoding.Clone();
            encoding.DecoderFallback = new DecoderReplacementFallback(Replacement);
        }

        return encoding;
    }

    /// <summary>Returns the same encoding, which is lenient unless it is <see cref="StrictFallback"/>.</summary>
    public static Encoding Ready(Encoding encoding) =>
        encoding.DecoderFallback is StrictFallback ? encoding : Lenient(encoding);

    /// <summary>Decodes everything except a byte order mark.</summary>
    /// <exception cref="InvalidOperationException">The text exceeds the maximum length of a string.</exception>
    public static string Decode(ReadOnlySequence<byte> bytes, Encoding encoding)
    {
        string text = Whole(bytes, encoding);
        return text.StartsWith(ByteOrderMark) ? text[1..] : text;
    }

    /// <summary>Decodes both ends of a text, without a byte order mark, and joins them with another text.</summary>
    /// <exception cref="InvalidOperationException">The whole text exceeds the maximum length of a string.</exception>
    public static string Decode(
        ReadOnlySequence<byte> head, string between, ReadOnlySequence<byte> tail, Encoding encoding)
    {
        if (head.Length + tail.Length > LongestString / 2)
        {
            Encoding ready = Ready(encoding);
            ThrowIfTooLong(Count(head, ready) + between.Length + Count(tail, ready), head.Length + tail.Length);
        }

        return Decode(head, encoding) + between + Whole(tail, encoding);
    }

    /// <summary>Splits at a separator. The last line needs none.</summary>
    public static IEnumerable<string> Lines(string text, string separator)
    {
        int start = 0;
        while (start < text.Length)
        {
            int end = text.IndexOf(separator, start, StringComparison.Ordinal);
            yield return end < 0 ? text[start..] : text[start..end];
            start = end < 0 ? text.Length : end + separator.Length;
        }
    }

    /// <summary>Splits at <c>\n</c> and <c>\r\n</c>. A lone <c>\r</c> belongs to its line.</summary>
    public static IEnumerable<string> Lines(string text)
    {
        int start = 0;
        while (start < text.Length)
        {
            int newLine = text.IndexOf('\n', start);
            int end = newLine < 0 ? text.Length : newLine;
            int contentEnd = newLine > start && text[newLine - 1] == '\r' ? newLine - 1 : end;
            yield return text[start..contentEnd];
            start = end + 1;
        }
    }

    // Decodes everything, including a byte order mark, into one string that is never copied.
    private static string Whole(ReadOnlySequence<byte> bytes, Encoding encoding)
    {
        encoding = Ready(encoding);
        if (bytes.IsSingleSegment && bytes.Length <= LongestString / 2)
        {
            return encoding.GetString(bytes.FirstSpan);
        }

        // Decodes twice, the first time only for the length: that costs less than a copy of the text or of the bytes.
        bool isAscii = IsAscii(bytes, encoding);
        long length = isAscii ? bytes.Length : Count(bytes, encoding);
        ThrowIfTooLong(length, bytes.Length);
        return isAscii
            ? string.Create((int)length, bytes, static (text, source) => Widen(source, text))
            : string.Create(
                (int)length,
                (bytes, encoding),
                static (text, source) => Decode(source.bytes, source.encoding, text, isScratch: false));
    }

    private static void ThrowIfTooLong(long length, long bytes)
    {
        if (length > LongestString)
        {
            throw new InvalidOperationException(
                $"The text of {bytes} bytes has {length} characters, more than a string can have; "
                + "read them with OpenRead.");
        }
    }

    private static long Count(ReadOnlySequence<byte> bytes, Encoding encoding)
    {
        if (IsAscii(bytes, encoding))
        {
            return bytes.Length;
        }

        char[] scratch = ArrayPool<char>.Shared.Rent(ScratchSize);
        long length = Decode(bytes, encoding, scratch, isScratch: true);
        ArrayPool<char>.Shared.Return(scratch);
        return length;
    }

    private static bool IsAscii(ReadOnlySequence<byte> bytes, Encoding encoding)
    {
        if (encoding is not (UTF8Encoding or ASCIIEncoding))
        {
            return false;
        }

        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            if (!Ascii.IsValid(segment.Span))
            {
                return false;
            }
        }

        return true;
    }

    private static void Widen(ReadOnlySequence<byte> bytes, Span<char> text)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            Ascii.ToUtf16(segment.Span, text, out int count);
            text = text[count..];
        }
    }

    // Returns the number of characters. They are written consecutively to the text, or each time to the start of the
    // scratch.
    private static long Decode(ReadOnlySequence<byte> bytes, Encoding encoding, Span<char> text, bool isScratch)
    {
        Decoder decoder = encoding.GetDecoder();
        long length = 0;
        SequencePosition position = bytes.Start;
        while (bytes.TryGet(ref position, out ReadOnlyMemory<byte> segment))
        {
            bool isLast = position.GetObject() is null;
            ReadOnlySpan<byte> rest = segment.Span;
            bool isDone;
            do
            {
                Span<char> room = isScratch ? text : text[(int)length..];
                decoder.Convert(rest, room, isLast, out int bytesUsed, out int charsUsed, out isDone);
                rest = rest[bytesUsed..];
                length += charsUsed;
            }
            while (!isDone);
        }

        return length;
    }
}
