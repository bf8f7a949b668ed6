using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Streams.Input;

/// <summary>Represents the writing end of a child's standard input for the user. Thread-safe.</summary>
internal sealed class ChildInputStream(QueueFeed feed) : Stream
{
    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => !feed.IsClosed;

    public override long Length => throw NotSeekable();

    public override long Position
    {
        get => throw NotSeekable();
        set => throw NotSeekable();
    }

    // A child that no longer reads has all the input it wants, which is not an error.
    public override void Write(ReadOnlySpan<byte> buffer) => _ = TryWrite(buffer);

    /// <inheritdoc cref="QueueFeed.Write"/>
    public bool TryWrite(ReadOnlySpan<byte> buffer) => feed.Write(buffer);

    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    // The base class would use the ThreadPool, whose threads may all be blocked.
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        try
        {
            return new ValueTask(feed.WriteAsync(buffer, cancellationToken));
        }
        catch (Exception exception) when (exception is ObjectDisposedException or OutOfMemoryException)
        {
            return ValueTask.FromException(exception);
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override IAsyncResult BeginWrite(
        byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        TaskToAsyncResult.Begin(WriteAsync(buffer, offset, count, CancellationToken.None), callback, state);

    public override void EndWrite(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override int Read(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("The standard input of a child can only be written.");

    public override long Seek(long offset, SeekOrigin origin) => throw NotSeekable();

    public override void SetLength(long value) => throw NotSeekable();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            feed.Complete();
        }

        base.Dispose(disposing);
    }

    private static NotSupportedException NotSeekable() => new("The standard input of a child is a pipe.");
}
