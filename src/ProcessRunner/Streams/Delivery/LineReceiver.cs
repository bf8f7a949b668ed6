using System;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Calls back with lines.</summary>
internal sealed class LineReceiver(LineSplitter splitter) : ByteReceiver
{
    public override bool TellsTime => true;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => splitter.Feed(bytes, readAt);

    public override void OnEnd(bool isWhole)
    {
        if (isWhole)
        {
            splitter.Flush();
        }
    }
}
