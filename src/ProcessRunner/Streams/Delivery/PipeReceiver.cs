using System;
using System.Buffers;
using System.IO.Pipelines;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Writes the bytes to a pipe of this process, which is completed at the end.</summary>
internal sealed class PipeReceiver : UserReceiver
{
    private readonly PipeWriter _writer;
    private readonly Action _readerLeft;
    private readonly AwaitedCalls<PipeWriter> _flush;

    /// <param name="writer">The writing side of the pipe.</param>
    /// <param name="readerLeft">An action for a reader that takes no more bytes. It can be called again.</param>
    public PipeReceiver(PipeWriter writer, Action readerLeft)
    {
        _writer = writer;
        _readerLeft = readerLeft;
        _flush = new AwaitedCalls<PipeWriter>(FlushAsync);
    }

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        Call(bytes, _writer.Write);
        Call(_writer, _flush.Invoke);
    }

    // An abandoned delivery completes the pipe as well: the reader would wait forever.
    public override void OnEnd(bool isWhole) => _writer.Complete();

    public override void CallOff() => _flush.CallOff();

    // A flush after the end of the reader completes at once.
    private async ValueTask FlushAsync(PipeWriter writer, CancellationToken cancellationToken)
    {
        FlushResult flushed = await writer.FlushAsync(cancellationToken).ConfigureAwait(false);
        if (flushed.IsCompleted)
        {
            _readerLeft();
        }
    }
}
