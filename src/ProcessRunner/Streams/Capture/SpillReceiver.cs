using System;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Capture;

/// <summary>Writes to a spill file, on a delivery thread, since a disk can keep its writer waiting.</summary>
internal sealed class SpillReceiver(CaptureLease lease) : ByteReceiver
{
    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) =>
        (lease.Spilled ??= new SpillFile()).Append(bytes);
}
