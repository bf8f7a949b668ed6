using System;
using System.Buffers;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams;

/// <summary>
/// Holds bytes in a chain of segments that is never copied when it grows, and that is empty while there are no bytes.
/// For one writer. Can be read once writing has ended. A field of a single owner until then; copies share the segments.
/// </summary>
internal struct SegmentChain
{
    private const int FirstSegment = 32;

    private Segment? _first;
    private Segment? _last;

    /// <summary>Gets the free room behind the bytes so far, which may be empty.</summary>
    public readonly Span<byte> Room => _last is null ? default : _last.Room;

    /// <summary>Gets the number of bytes so far.</summary>
    public readonly long Length => _last is null ? 0 : _last.RunningIndex + _last.Length;

    /// <summary>Gets all bytes so far, without a copy.</summary>
    public readonly ReadOnlySequence<byte> Bytes =>
        _first is null ? default : new ReadOnlySequence<byte>(_first, 0, _last!, _last!.Length);

    /// <summary>Appends the first <paramref name="count"/> bytes of <see cref="Room"/>.</summary>
    public readonly void Commit(int count)
    {
        if (count > 0)
        {
            _last!.Length += count;
        }
    }

    /// <summary>Appends a copy of bytes.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="pool">The pool that provides large segments.</param>
    public void Append(ReadOnlySpan<byte> bytes, SegmentPool pool)
    {
        while (!bytes.IsEmpty)
        {
            if (Room.IsEmpty)
            {
                Grow(bytes.Length, pool);
            }

            int count = Math.Min(bytes.Length, Room.Length);
            bytes[..count].CopyTo(Room);
            Commit(count);
            bytes = bytes[count..];
        }
    }

    /// <summary>Appends an array without a copy.</summary>
    public void AppendOwned(byte[] bytes)
    {
        if (bytes.Length > 0)
        {
            Link(new Segment(bytes, Length, isRented: false) { Length = bytes.Length });
        }
    }

    /// <summary>Returns the rented segments to the pool. None of the bytes may be read after this call.</summary>
    public void Return(SegmentPool pool)
    {
        for (Segment? segment = _first; segment is not null; segment = segment.Following)
        {
            segment.Return(pool);
        }

        this = default;
    }

    // The remaining bytes are likely to be as many as there are already.
    private void Grow(int atLeast, SegmentPool pool)
    {
        int size = (int)Math.Clamp(
            Length, Math.Clamp(atLeast, FirstSegment, SegmentPool.SegmentSize), SegmentPool.SegmentSize);
        bool isRented = size == SegmentPool.SegmentSize;
        Link(new Segment(isRented ? pool.Rent() : Buffers.Allocate<byte>(size), Length, isRented));
    }

    private void Link(Segment segment)
    {
        _last?.Append(segment);
        _last = segment;
        _first ??= segment;
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        private readonly byte[] _bytes;
        private readonly bool _isRented;

        public Segment(byte[] bytes, long runningIndex, bool isRented)
        {
            _bytes = bytes;
            _isRented = isRented;
            Memory = bytes;
            RunningIndex = runningIndex;
        }

        public int Length { get; set; }

        public Span<byte> Room => _bytes.AsSpan(Length);

        public Segment? Following => (Segment?)Next;

        public void Append(Segment next)
        {
            Memory = _bytes.AsMemory(0, Length);
            Next = next;
        }

        public void Return(SegmentPool pool)
        {
            if (_isRented)
            {
                pool.Return(_bytes);
            }
        }
    }
}
