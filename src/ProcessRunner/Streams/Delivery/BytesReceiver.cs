using System;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Calls back with the bytes as they arrive.</summary>
internal sealed class BytesReceiver : UserReceiver
{
    private readonly Action<ReadOnlySpan<byte>> _callback;

    public BytesReceiver(OutputBytesCallback callback) => _callback = callback.Invoke;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => Call(bytes, _callback);
}
