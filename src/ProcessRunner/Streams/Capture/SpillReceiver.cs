using System;
using System.IO;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Capture;

/// <summary>Writes to a temporary file on a delivery thread, because a disk can block its writer.</summary>
internal sealed class SpillReceiver(RunStreams run, CaptureLease lease) : ByteReceiver
{
    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        try
        {
            (lease.Spilled ??= run.Services.CreateTemporaryFile()).Append(bytes);
        }
        catch (IOException exception)
        {
            throw new IOException(
                run.Command.Hide(
                    $"Cannot keep the output of '{run.Command.FileName}': {exception.Message} ({run.Command})"),
                exception)
            {
                HResult = exception.HResult,
            };
        }
    }
}
