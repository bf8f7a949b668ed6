using System;
using System.IO;
using System.IO.Pipelines;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Represents a function of the user between two stages of a pipeline: what the first stage writes goes to a pipe of
/// this process, which the function reads while it writes the input of the second stage.
/// </summary>
/// <remarks>
/// The function runs on a delivery thread as the input of the second stage. If it blocks in its reads and writes it
/// needs no other thread. Where it awaits a read, it continues on another delivery thread, and may block there: the
/// one that brings the bytes goes on. Where it awaits a write, it continues on a ThreadPool thread.
/// </remarks>
internal sealed class CodeConnection
{
    private readonly Pipe _pipe;
    private readonly Func<Stream, Stream, CancellationToken, Task> _transform;

    public CodeConnection(Func<Stream, Stream, CancellationToken, Task> transform, IDeliveryThreads threads)
    {
        _pipe = new Pipe(new PipeOptions(
            readerScheduler: new ReaderScheduler(threads),
            writerScheduler: PipeScheduler.Inline,
            useSynchronizationContext: false));
        _transform = transform;
        Target = OutputTarget.To(_pipe.Writer);
        Source = InputSource.From(this);
    }

    /// <summary>Gets the target of the first stage.</summary>
    public OutputTarget Target { get; }

    /// <summary>Gets the source of the second stage.</summary>
    public InputSource Source { get; }

    /// <summary>
    /// Ends the pipe in place of a function that is not called, so that the first stage learns of it. Otherwise nobody
    /// would take what it writes.
    /// </summary>
    public void Abandon() => _pipe.Reader.Complete();

    /// <summary>Calls the function, and ends the pipe after it.</summary>
    public async Task TransformAsync(Stream output, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            static reader => ((PipeReader)reader!).CancelPendingRead(), _pipe.Reader);
        Stream input = _pipe.Reader.AsStream();
        await using (input.ConfigureAwait(false))
        {
            await _transform(input, output, cancellationToken).ConfigureAwait(false);
        }
    }

    // The function may block after a read that it has awaited.
    private sealed class ReaderScheduler(IDeliveryThreads threads) : PipeScheduler
    {
        public override void Schedule(Action<object?> action, object? state) =>
            threads.Post(new DeliveryJob(() => action(state)));
    }
}
