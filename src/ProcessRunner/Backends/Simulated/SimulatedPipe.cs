using System;
using System.IO;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Simulated;

/// <summary>
/// Represents a pipe in memory, which blocks as one of the kernel does: 64 KiB, one reader, one writer.
/// </summary>
/// <remarks>The pipe itself is the lock that guards its fields. It is the innermost one.</remarks>
internal sealed class SimulatedPipe
{
    private const int Capacity = 64 * 1024;

    private readonly byte[] _ring = Buffers.Allocate<byte>(Capacity);
    private int _start;
    private int _count;
    private bool _isReaderClosed;
    private bool _isWriterClosed;

    public SimulatedPipe()
    {
        Reader = new End(this, isReader: true);
        Writer = new End(this, isReader: false);
    }

    /// <summary>Gets the end from which bytes are read.</summary>
    public Stream Reader { get; }

    /// <summary>Gets the end to which bytes are written.</summary>
    public Stream Writer { get; }

    private int Read(Span<byte> room)
    {
        using (Uninterruptible.Lock(this))
        {
            while (_count == 0 && !_isWriterClosed && !_isReaderClosed && !room.IsEmpty)
            {
                Monitor.Wait(this);
            }

            int count = Math.Min(_isReaderClosed ? 0 : _count, room.Length);
            int first = Math.Min(count, Capacity - _start);
            _ring.AsSpan(_start, first).CopyTo(room);
            _ring.AsSpan(0, count - first).CopyTo(room[first..]);
            _start = (_start + count) % Capacity;
            _count -= count;
            Monitor.PulseAll(this);
            return count;
        }
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            bytes = bytes[WriteSome(bytes)..];
        }
    }

    private int WriteSome(ReadOnlySpan<byte> bytes)
    {
        using (Uninterruptible.Lock(this))
        {
            while (_count == Capacity && !_isReaderClosed && !_isWriterClosed)
            {
                Monitor.Wait(this);
            }

            if (_isReaderClosed || _isWriterClosed)
            {
                throw new BrokenPipeException();
            }

            int end = (_start + _count) % Capacity;
            int count = Math.Min(bytes.Length, Math.Min(Capacity - _count, Capacity - end));
            bytes[..count].CopyTo(_ring.AsSpan(end));
            _count += count;
            Monitor.PulseAll(this);
            return count;
        }
    }

    private void Close(bool isReader)
    {
        using (Uninterruptible.Lock(this))
        {
            _isReaderClosed |= isReader;
            _isWriterClosed |= !isReader;
            Monitor.PulseAll(this);
        }
    }

    private sealed class End(SimulatedPipe pipe, bool isReader) : Stream
    {
        public override bool CanRead => isReader;

        public override bool CanWrite => !isReader;

        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override int Read(Span<byte> buffer) =>
            isReader ? pipe.Read(buffer) : throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (isReader)
            {
                throw new NotSupportedException();
            }

            pipe.Write(buffer);
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            pipe.Close(isReader);
            base.Dispose(disposing);
        }
    }
}
