using System;
using System.IO;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Writes the bytes to a stream, which is flushed at the end and stays open.</summary>
internal sealed class StreamReceiver(Stream stream) : ByteReceiver
{
    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => stream.Write(bytes);

    public override void OnEnd(bool isWhole) => stream.Flush();
}
