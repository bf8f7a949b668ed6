using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Capture;

/// <summary>Reads captured bytes: first from memory, then from the temporary file.</summary>
/// <param name="memory">The bytes in memory.</param>
/// <param name="file">The file with the others, or null.</param>
/// <param name="length">The number of all bytes, behind which the file may have more.</param>
internal sealed class CapturedStream(ReadOnlySequence<byte> memory, TemporaryFile? file, long length) : Stream
{
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => length;

    public override long Position
    {
        get => _position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _position = value;
        }
    }

    public override int Read(Span<byte> buffer)
    {
        int count;
        if (_position < memory.Length)
        {
            ReadOnlySequence<byte> rest = memory.Slice(_position);
            count = (int)Math.Min(rest.Length, buffer.Length);
            rest.Slice(0, count).CopyTo(buffer);
        }
        else
        {
            int most = (int)Math.Clamp(length - _position, 0, buffer.Length);
            count = file?.Read(buffer[..most], _position - memory.Length) ?? 0;
        }

        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    // The base class would use the ThreadPool, whose threads may all be blocked.
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<int>(cancellationToken)
            : ValueTask.FromResult(Read(buffer.Span));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override long Seek(long offset, SeekOrigin origin) => Position = origin switch
    {
        SeekOrigin.Begin => offset,
        SeekOrigin.Current => _position + offset,
        _ => Length + offset,
    };

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException("Captured output cannot be changed.");

    public override void Write(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("Captured output cannot be changed.");
}
