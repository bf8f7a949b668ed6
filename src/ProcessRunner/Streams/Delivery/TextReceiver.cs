using System;
using System.Text;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Decodes the bytes and writes the text to a writer or a builder, which is flushed at the end. A byte order mark is
/// left out. If decoding is strict, the text before the first bytes that cannot be decoded is written.
/// </summary>
internal sealed class TextReceiver : UserReceiver
{
    private readonly Action<ReadOnlySpan<char>> _write;
    private readonly Action _flush;
    private readonly Decoder _decoder;
    private readonly RecordingFallback? _strict;
    private readonly char[] _decoded;
    private bool _isAtStart = true;

    public TextReceiver(Encoding encoding, Action<ReadOnlySpan<char>> write, Action flush)
    {
        _write = write;
        _flush = flush;
        _decoder = StrictFallback.DecoderOf(encoding, out _strict);
        _decoded = Buffers.Allocate<char>(encoding.GetMaxCharCount(LineSplitter.BytesAtOnce));
    }

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, LineSplitter.BytesAtOnce)];
            Write(part, flush: false);
            bytes = bytes[part.Length..];
        }
    }

    public override void OnEnd(bool isWhole)
    {
        if (isWhole)
        {
            Write([], flush: true);
        }

        Call(_flush, static flush => flush());
    }

    private void Write(ReadOnlySpan<byte> bytes, bool flush)
    {
        ReadOnlySpan<char> text = _decoded.AsSpan(0, _decoder.GetChars(bytes, _decoded, flush));
        if (_strict?.Failure is not null && text.IndexOf(RecordingFallback.Mark) is int mark and >= 0)
        {
            text = text[..mark];
        }

        if (_isAtStart && !text.IsEmpty)
        {
            _isAtStart = false;
            text = text[0] == TextDecoder.ByteOrderMark ? text[1..] : text;
        }

        if (!text.IsEmpty)
        {
            Call(text, _write);
        }

        if (_strict?.Failure is { } failure)
        {
            throw failure;
        }
    }
}
