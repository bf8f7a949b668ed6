using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Writes lines to the channel of the child, and waits while the channel is full and the child runs.</summary>
internal sealed class LiveReceiver : ByteReceiver
{
    private readonly LineChannel _lines;
    private readonly LineSplitter _splitter;

    public LiveReceiver(RunStreams run, ChildOutput stream, LineOptions options)
    {
        _lines = run.AddLines();
        _lines.AddWriter();
        _splitter = new LineSplitter(run.Command.DecodingOf(stream).Make(), options, stream, _lines.Write);
        Patience = options.PromptDelay;
    }

    public override TimeSpan Patience { get; }

    public override bool EndsWithTheChild => true;

    public override bool TellsTime => true;

    public override long PartsTaken => _lines.Taken;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        while (!bytes.IsEmpty)
        {
            // Bytes can take fifty times the memory as lines: no more than these become lines at once before a reader
            // asks.
            ReadOnlySpan<byte> part = bytes[..Math.Min(bytes.Length, LineSplitter.BytesAtOnce)];
            if (!_lines.TryKeep(_splitter, part, readAt))
            {
                Split(part, readAt);
            }

            bytes = bytes[part.Length..];
        }
    }

    // After the child's end there is nobody to answer, and bytes that are kept for the reader must stay in order.
    public override void OnSilence()
    {
        if (!_lines.ChildHasEnded)
        {
            _splitter.EmitBegun();
        }
    }

    public override void OnEnd(bool isWhole)
    {
        if (isWhole && !_lines.TryKeep(_splitter, [], default))
        {
            Split([], default);
        }

        _lines.RemoveWriter();
    }

    public override void CallOff() => _lines.Close();

    // Flushes if there are no bytes. The failure is for the readers: the run knows nothing of text.
    private void Split(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        try
        {
            if (bytes.IsEmpty)
            {
                _splitter.Flush();
            }
            else
            {
                _splitter.Feed(bytes, readAt);
            }
        }
        catch (OutputDecodingException exception)
        {
            _lines.Fail(exception);
        }
        catch (OutOfMemoryException exception)
        {
            FailForAll(exception);
            throw;
        }
    }

    // The run reports the failure at its end. The child may wait for a reader that waits for the lost lines, so the
    // readers are told at once.
    private void FailForAll(OutOfMemoryException exception)
    {
        try
        {
            _lines.Fail(exception);
        }
        catch (OutOfMemoryException)
        {
            // The end of the stream tells them.
        }
    }
}
