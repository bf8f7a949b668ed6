using System;
using System.Text;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Streams;

/// <summary>
/// Decodes a stream of bytes, split anywhere, and splits the text into lines that end with <c>\n</c>, <c>\r\n</c> or,
/// optionally, a lone <c>\r</c>; or with a separator of the user's. A last line needs no terminator. For one thread at
/// a time.
/// </summary>
/// <remarks>
/// If there is no memory for a line, the method throws, and the next call continues with that line. An input of at most
/// <see cref="BytesAtOnce"/> bytes has then been consumed completely.
/// </remarks>
internal sealed partial class LineSplitter
{
    /// <summary>The maximum number of bytes that are decoded before their lines are emitted.</summary>
    public const int BytesAtOnce = 4096;

    private readonly Decoder _decoder;
    private readonly RecordingFallback? _strict;
    private readonly LineOptions _options;
    private readonly bool _isError;
    private readonly Action<OutputLine> _emit;
    private readonly char[] _decoded;
    private readonly StringBuilder _begun = new();
    private int _next;
    private int _end;
    private DateTimeOffset _readAt;
    private bool _isAtStart = true;
    private bool _skipsLineFeed;

    public LineSplitter(Encoding encoding, LineOptions options, ChildOutput stream, Action<OutputLine> emit)
    {
        _decoder = StrictFallback.DecoderOf(encoding, out _strict);
        _options = options;
        _isError = stream == ChildOutput.Error;
        _emit = emit;
        _decoded = Buffers.Allocate<char>(encoding.GetMaxCharCount(BytesAtOnce));
    }

    /// <summary>Consumes the next bytes.</summary>
    public void Feed(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        Split();
        _readAt = readAt;
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, BytesAtOnce)];
            Decode(part, flush: false);
            Split();
            bytes = bytes[part.Length..];
        }
    }

    /// <summary>
    /// Emits the beginning of a line without its end. Characters that may be half of a line end or of a surrogate pair
    /// wait for the rest.
    /// </summary>
    public void EmitBegun()
    {
        Split();
        int length = _begun.Length;
        bool isHalf = length > 0 && _begun[^1] == '\r';
        if (_options.Separator is string separator)
        {
            length -= BegunSeparator([], separator);
        }
        else
        {
            length -= isHalf ? 1 : 0;
        }

        length -= length > 0 && char.IsHighSurrogate(_begun[length - 1]) ? 1 : 0;
        if (length > 0)
        {
            _emit(new OutputLine(_begun.ToString(0, length), _isError, _readAt, IsPartial: true));
            _begun.Remove(0, length);
        }
    }

    /// <summary>Ends the last line if it has begun.</summary>
    public void Flush()
    {
        Split();
        Decode([], flush: true);
        Split();
        while (_begun.Length > MostOf([]))
        {
            EmitPiece([], MostOf([]));
        }

        if (_begun.Length > 0)
        {
            Emit([], isPartial: false, endsAtLineFeed: false);
        }
    }

    private void Decode(ReadOnlySpan<byte> bytes, bool flush)
    {
        _next = 0;
        _end = _decoder.GetChars(bytes, _decoded, flush);
        if (_isAtStart && _end > 0)
        {
            _isAtStart = false;
            _next = _decoded[0] == TextDecoder.ByteOrderMark ? 1 : 0;
        }

        if (_strict?.Failure is not null)
        {
            int mark = _decoded.AsSpan(0, _end).IndexOf(RecordingFallback.Mark);
            _end = Math.Max(_next, mark < 0 ? _end : mark);
        }
    }

    // Each step is completed as soon as its memory is allocated.
    private void Split()
    {
        while (_next < _end)
        {
            ReadOnlySpan<char> text = _decoded.AsSpan(_next, _end - _next);
            if (_options.Separator is string separator)
            {
                SplitAt(separator, text);
                continue;
            }

            if (_skipsLineFeed)
            {
                _skipsLineFeed = false;
                _next += text[0] == '\n' ? 1 : 0;
                continue;
            }

            // A line of exactly the maximum length is followed by a terminator of one or two characters.
            int most = MostOf(text);
            int room = most - _begun.Length;
            ReadOnlySpan<char> window = text.Length - 2 > room ? text[..(room + 2)] : text;
            int end = _options.SplitAtCarriageReturn ? window.IndexOfAny('\n', '\r') : window.IndexOf('\n');
            if (end >= 0 && LengthOfLine(text, end) <= most)
            {
                bool endsAtLineFeed = text[end] == '\n';
                Emit(text[..end], isPartial: false, endsAtLineFeed);
                _skipsLineFeed = !endsAtLineFeed;
                _next += end + 1;
            }
            else if (text.Length <= room || (text.Length == room + 1 && text[^1] == '\r'))
            {
                Begin(text);
            }
            else
            {
                _next += EmitPiece(text, most);
            }
        }

        if (_strict?.Failure is OutputDecodingException failure)
        {
            throw failure;
        }
    }

    // The builder fills its free capacity before it allocates more.
    private void Begin(ReadOnlySpan<char> text)
    {
        int before = _begun.Length;
        try
        {
            _begun.Append(text);
        }
        finally
        {
            _next += _begun.Length - before;
        }
    }

    // Returns the maximum length of a line or of its next piece. No surrogate pair is split, even if the pair alone
    // exceeds the maximum.
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

    // Returns the number of characters of the text that the piece contains.
    private int EmitPiece(ReadOnlySpan<char> text, int length)
    {
        if (length >= _begun.Length)
        {
            int count = length - _begun.Length;
            Emit(text[..count], isPartial: true, endsAtLineFeed: false);
            return count;
        }

        _emit(new OutputLine(_begun.ToString(0, length), _isError, _readAt, IsPartial: true));
        _begun.Remove(0, length);
        return 0;
    }

    private void Emit(ReadOnlySpan<char> rest, bool isPartial, bool endsAtLineFeed)
    {
        FaultPoint.AllocateManaged();
        int begun = _begun.Length;
        if (endsAtLineFeed && rest is [.., '\r'])
        {
            rest = rest[..^1];
        }
        else if (endsAtLineFeed && rest.IsEmpty && begun > 0 && _begun[^1] == '\r')
        {
            begun--;
        }

        string content = begun == 0 ? rest.ToString() : string.Concat(_begun.ToString(0, begun), rest);
        _emit(new OutputLine(content, _isError, _readAt, isPartial));
        _begun.Clear();
    }
}
