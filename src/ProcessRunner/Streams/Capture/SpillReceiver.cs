using System;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Capture;

/// <summary>Writes to a spill file, on a delivery thread, since a disk can keep its writer waiting.</summary>
internal sealed class SpillReceiver : ByteReceiver
{
    /// <summary>The file, once there has been a byte for it.</summary>
    public SpillFile? File { get; private set; }

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) =>
        (File ??= new SpillFile()).Append(bytes);
}
