using System;
using System.Text;

namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Provides the meaning of lone surrogates from U+DC80 to U+DCFF, which no text has: each stands for a byte that is not
/// text (PEP 383).
/// </summary>
internal static class LoneByte
{
    private const char First = '\uDC80';
    private const char Last = '\uDCFF';
    private const int Offset = 0xDC00;

    /// <summary>Returns the surrogate that stands for a byte from 128 on.</summary>
    public static char ToChar(byte value) => (char)(Offset + value);

    /// <summary>Returns whether a text may have such a surrogate. Pairs of surrogates can count.</summary>
    public static bool MayBeIn(ReadOnlySpan<char> text) => text.IndexOfAnyInRange(First, Last) >= 0;

    /// <summary>Returns whether a text has such a surrogate.</summary>
    public static bool IsIn(ReadOnlySpan<char> text) => IndexIn(text) >= 0;

    /// <summary>Encodes a text that may have such surrogates.</summary>
    /// <returns>The number of bytes.</returns>
    public static int GetBytes(ReadOnlySpan<char> text, Span<byte> bytes)
    {
        int length = 0;
        for (int index; (index = IndexIn(text)) >= 0; text = text[(index + 1)..])
        {
            length += Encoding.UTF8.GetBytes(text[..index], bytes[length..]);
            bytes[length++] = (byte)(text[index] - Offset);
        }

        return length + Encoding.UTF8.GetBytes(text, bytes[length..]);
    }

    private static int IndexIn(ReadOnlySpan<char> text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
            {
                i++;
            }
            else if (text[i] is >= First and <= Last)
            {
                return i;
            }
        }

        return -1;
    }
}
