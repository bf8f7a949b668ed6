using System;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Writes lines to the channel of the child; waits while it is full.</summary>
internal sealed class LiveReceiver : ByteReceiver
{
    private readonly LineChannel _lines;
    private readonly LineSplitter _splitter;

    public LiveReceiver(SinkContext context, LineOptions options)
    {
        _lines = context.Lines;
        _lines.AddWriter();
        _splitter = new LineSplitter(context, options, _lines.Write);
    }

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt) => _splitter.Feed(bytes, readAt);

    public override void OnEnd(bool isWhole)
    {
        if (isWhole)
        {
            _splitter.Flush();
        }

        _lines.RemoveWriter();
    }

    public override void CallOff() => _lines.Close();
}
