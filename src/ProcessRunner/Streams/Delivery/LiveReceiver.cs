using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Writes lines to the channel of the child; waits while it is full and the child runs.</summary>
internal sealed class LiveReceiver : ByteReceiver
{
    // As lines, bytes can take fifty times the memory: no more of them at once become lines that have not been asked for.
    private const int BytesAtOnce = 4096;

    private readonly LineChannel _lines;
    private readonly LineSplitter _splitter;

    public LiveReceiver(RunStreams run, StandardStream stream, LineOptions options)
    {
        _lines = run.AddLines();
        _lines.AddWriter();
        _splitter = new LineSplitter(run.Command.Encoding, options, stream, _lines.Write);
    }

    public override bool EndsWithTheChild => true;

    public override bool TellsTime => true;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, BytesAtOnce)];
            if (!_lines.TryKeep(_splitter, part, readAt))
            {
                _splitter.Feed(part, readAt);
            }

            bytes = bytes[part.Length..];
        }
    }

    public override void OnEnd(bool isWhole)
    {
        if (isWhole && !_lines.TryKeep(_splitter, [], default))
        {
            _splitter.Flush();
        }

        _lines.RemoveWriter();
    }

    public override void CallOff() => _lines.Close();
}
