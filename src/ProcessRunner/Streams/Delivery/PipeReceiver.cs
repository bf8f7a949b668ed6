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
    private readonly AwaitedCalls<PipeWriter> _flush = new(FlushAsync);

    public PipeReceiver(PipeWriter writer) => _writer = writer;

    public override void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        Call(bytes, _writer.Write);
        Call(_writer, _flush.Invoke);
    }

    public override void OnEnd(bool isWhole) => Call(_writer, static writer => writer.Complete());

    public override void CallOff() => _flush.CallOff();

    // A flush after the end of the reader completes at once.
    private static async ValueTask FlushAsync(PipeWriter writer, CancellationToken cancellationToken) =>
        await writer.FlushAsync(cancellationToken).ConfigureAwait(false);
}
