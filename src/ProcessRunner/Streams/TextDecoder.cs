using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text;

namespace ProcessRunner.Streams;

/// <summary>Turns captured bytes into text, and text into lines.</summary>
internal static class TextDecoder
{
    private const string Replacement = "\uFFFD";
    private const int ScratchSize = 16 * 1024;
    private const char ByteOrderMark = '\uFEFF';

    /// <summary>The same encoding, but bytes that it cannot decode become U+FFFD whatever it would do.</summary>
    public static Encoding Lenient(Encoding encoding)
    {
        if (encoding.DecoderFallback is not DecoderReplacementFallback { DefaultString: Replacement })
        {
            encoding = (Encoding)encoding.Clone();
            encoding.DecoderFallback = new DecoderReplacementFallback(Replacement);
        }

        return encoding;
    }

    /// <summary>Decodes everything but a byte order mark.</summary>
    public static string Decode(ReadOnlySequence<byte> bytes, Encoding encoding)
    {
        string text = Whole(bytes, encoding);
        return text.StartsWith(ByteOrderMark) ? text[1..] : text;
    }

    /// <summary>Decodes everything, a byte order mark included, into one string that is never copied.</summary>
    public static string Whole(ReadOnlySequence<byte> bytes, Encoding encoding)
    {
        encoding = Lenient(encoding);
        if (bytes.IsSingleSegment)
        {
            return encoding.GetString(bytes.FirstSpan);
        }

        if (encoding is UTF8Encoding or ASCIIEncoding && IsAscii(bytes))
        {
            return string.Create(checked((int)bytes.Length), bytes, static (text, source) => Widen(source, text));
        }

        // Decoded twice, the first time only to learn the length: that costs less than a copy of the text or of the bytes.
        char[] scratch = ArrayPool<char>.Shared.Rent(ScratchSize);
        long length = Decode(bytes, encoding, scratch, isScratch: true);
        ArrayPool<char>.Shared.Return(scratch);
        return string.Create(
            checked((int)length),
            (bytes, encoding),
            static (text, source) => Decode(source.bytes, source.encoding, text, isScratch: false));
    }

    /// <summary>Splits at <c>\n</c> and <c>\r\n</c>; a lone <c>\r</c> belongs to its line.</summary>
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

    private static bool IsAscii(ReadOnlySequence<byte> bytes)
    {
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

    // The number of characters. They go to the text one behind the other, or each time to the beginning of the scratch.
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
