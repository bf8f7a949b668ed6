using System;
using System.Text;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams;

/// <summary>
/// Decodes a stream of bytes, split anywhere, and cuts it into lines: <c>\n</c>, <c>\r\n</c>, if asked to a lone
/// <c>\r</c>, and a last line without an end. For one thread at a time.
/// </summary>
internal sealed class LineSplitter
{
    private const char ByteOrderMark = '\uFEFF';
    private const int BytesAtOnce = 4096;

    private readonly Decoder _decoder;
    private readonly LineOptions _options;
    private readonly bool _isError;
    private readonly Action<OutputLine> _emit;
    private readonly char[] _decoded;
    private readonly StringBuilder _begun = new();
    private DateTimeOffset _readAt;
    private bool _isAtStart = true;
    private bool _skipsLineFeed;

    public LineSplitter(Encoding encoding, LineOptions options, StandardStream stream, Action<OutputLine> emit)
    {
        _decoder = TextDecoder.Lenient(encoding).GetDecoder();
        _options = options;
        _isError = stream == StandardStream.Error;
        _emit = emit;
        _decoded = Buffers.Allocate<char>(encoding.GetMaxCharCount(BytesAtOnce));
    }

    /// <summary>Takes the next bytes.</summary>
    public void Feed(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        _readAt = readAt;
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, BytesAtOnce)];
            Split(_decoded.AsSpan(0, _decoder.GetChars(part, _decoded, flush: false)));
            bytes = bytes[part.Length..];
        }
    }

    /// <summary>Ends the last line, if it has begun.</summary>
    public void Flush()
    {
        Split(_decoded.AsSpan(0, _decoder.GetChars([], _decoded, flush: true)));
        if (_begun.Length > MostOf([]))
        {
            EmitPiece([], MostOf([]));
        }

        if (_begun.Length > 0)
        {
            Emit([], isPartial: false, endsAtLineFeed: false);
        }
    }

    private void Split(ReadOnlySpan<char> text)
    {
        if (_isAtStart && text.Length > 0)
        {
            _isAtStart = false;
            text = text[0] == ByteOrderMark ? text[1..] : text;
        }

        while (!text.IsEmpty)
        {
            if (_skipsLineFeed)
            {
                _skipsLineFeed = false;
                text = text[0] == '\n' ? text[1..] : text;
                continue;
            }

            // Behind a line of exactly the length that it may have stands an end of one or two characters.
            int most = MostOf(text);
            int room = most - _begun.Length;
            ReadOnlySpan<char> window = text.Length - 2 > room ? text[..(room + 2)] : text;
            int end = _options.SplitAtCarriageReturn ? window.IndexOfAny('\n', '\r') : window.IndexOf('\n');
            if (end >= 0 && LengthOfLine(text, end) <= most)
            {
                bool endsAtLineFeed = text[end] == '\n';
                _skipsLineFeed = !endsAtLineFeed;
                Emit(text[..end], isPartial: false, endsAtLineFeed);
                text = text[(end + 1)..];
            }
            else if (text.Length <= room || (text.Length == room + 1 && text[^1] == '\r'))
            {
                _begun.Append(text);
                return;
            }
            else
            {
                text = EmitPiece(text, most);
            }
        }
    }

    // What a line may have, or its next piece: no pair of surrogates is split, not even where it alone is more than that.
    private int MostOf(ReadOnlySpan<char> text)
    {
        int most = _options.MaxLength;
        bool splitsPair = _begun.Length + (long)text.Length > most
            && char.IsSurrogatePair(CharacterAt(text, most - 1), CharacterAt(text, most));
        return !splitsPair ? most : Math.Max(2, most - 1);
    }

    private char CharacterAt(ReadOnlySpan<char> text, int index) =>
        index < _begun.Length ? _begun[index] : text[index - _begun.Length];

    private int LengthOfLine(ReadOnlySpan<char> text, int end)
    {
        int length = _begun.Length + end;
        return length > 0 && text[end] == '\n' && CharacterAt(text, length - 1) == '\r' ? length - 1 : length;
    }

    // Returns the rest of the text.
    private ReadOnlySpan<char> EmitPiece(ReadOnlySpan<char> text, int length)
    {
        if (length >= _begun.Length)
        {
            int count = length - _begun.Length;
            Emit(text[..count], isPartial: true, endsAtLineFeed: false);
            return text[count..];
        }

        string content = _begun.ToString(0, length);
        _begun.Remove(0, length);
        _emit(new OutputLine(content, _isError, _readAt, IsPartial: true));
        return text;
    }

    private void Emit(ReadOnlySpan<char> rest, bool isPartial, bool endsAtLineFeed)
    {
        string content;
        if (_begun.Length == 0)
        {
            content = (endsAtLineFeed && rest is [.., '\r'] ? rest[..^1] : rest).ToString();
        }
        else
        {
            _begun.Append(rest);
            content = _begun.ToString(0, _begun.Length - (endsAtLineFeed && _begun[^1] == '\r' ? 1 : 0));
            _begun.Clear();
        }

        _emit(new OutputLine(content, _isError, _readAt, isPartial));
    }
}
