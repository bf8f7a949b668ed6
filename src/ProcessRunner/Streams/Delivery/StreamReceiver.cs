using System;
using System.IO;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Writes the bytes to a stream, which is flushed at the end and stays open.</summary>
internal sealed class StreamReceiver : UserReceiver
{
    private readonly Stream _stream;
    private readonly Action<ReadOnlySpan<byte>> _write;

    public StreamReceiver(Stream stream)
    {
        _stream = stream;
        _write = stream.Write;
    }

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => Call(bytes, _write);

    public override void OnEnd(bool isWhole) => Call(_stream, static stream => stream.Flush());
}
