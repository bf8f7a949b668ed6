using System;

namespace ProcessRunner.Streams;

/// <summary>Splits at a separator of the user's, which may come in parts.</summary>
internal sealed partial class LineSplitter
{
    // One step. As in the other mode, no more of the text is searched than a line of the maximum length can need.
    private void SplitAt(string separator, ReadOnlySpan<char> text)
    {
        int most = MostOf(text);
        long reach = (long)most + separator.Length - _begun.Length;
        ReadOnlySpan<char> window = text.Length > reach ? text[..(int)reach] : text;
        int end = IndexOf(separator, window);
        if (end >= 0 && end <= most)
        {
            int consumed = end + separator.Length - _begun.Length;
            EmitLine(text, end);
            _next += consumed;
        }
        else if (_begun.Length + text.Length <= (long)most + BegunSeparator(text, separator))
        {
            Begin(text);
        }
        else
        {
            _next += EmitPiece(text, most);
        }
    }

    // Returns the index in the line that has begun and the text behind it, or -1.
    private int IndexOf(string separator, ReadOnlySpan<char> text)
    {
        int begun = _begun.Length;
        for (int i = Math.Max(0, begun - separator.Length + 1); i < begun; i++)
        {
            if (i + separator.Length <= begun + text.Length && Matches(separator, separator.Length, text, i))
            {
                return i;
            }
        }

        int index = text.IndexOf(separator, StringComparison.Ordinal);
        return index < 0 ? -1 : begun + index;
    }

    // Returns how many characters at the end may be the first ones of a separator.
    private int BegunSeparator(ReadOnlySpan<char> text, string separator)
    {
        int total = _begun.Length + text.Length;
        int length = Math.Min(separator.Length - 1, total);
        while (length > 0 && !Matches(separator, length, text, total - length))
        {
            length--;
        }

        return length;
    }

    private bool Matches(string separator, int length, ReadOnlySpan<char> text, int index)
    {
        for (int i = 0; i < length; i++)
        {
            if (CharacterAt(text, index + i) != separator[i])
            {
                return false;
            }
        }

        return true;
    }

    private void EmitLine(ReadOnlySpan<char> text, int length)
    {
        if (length >= _begun.Length)
        {
            Emit(text[..(length - _begun.Length)], isPartial: false, endsAtLineFeed: false);
        }
        else
        {
            _emit(new OutputLine(_begun.ToString(0, length), _isError, _readAt, IsPartial: false));
            _begun.Clear();
        }
    }
}
