using System;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Calls back with the bytes as they come.</summary>
internal sealed class BytesReceiver(OutputBytesCallback callback) : ByteReceiver
{
    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => callback(bytes);
}
