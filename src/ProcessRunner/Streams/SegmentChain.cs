using System;
using System.Buffers;

namespace ProcessRunner.Streams;

/// <summary>
/// Bytes in a chain of segments that is never copied when it grows; none while there are no bytes. One writer; read
/// once nobody writes any more.
/// </summary>
internal sealed class SegmentChain
{
    private const int FirstSegment = 256;

    // On the large object heap: what lies there is not copied when the garbage collector promotes it.
    private const int LargestSegment = 1024 * 1024;

    private Segment? _first;
    private Segment? _last;

    /// <summary>Room behind the bytes so far; may be empty.</summary>
    public Span<byte> Room => _last is null ? default : _last.Room;

    /// <summary>The number of bytes so far.</summary>
    public long Length => _last is null ? 0 : _last.RunningIndex + _last.Length;

    /// <summary>All bytes so far, without a copy.</summary>
    public ReadOnlySequence<byte> Bytes =>
        _first is null ? default : new ReadOnlySequence<byte>(_first, 0, _last!, _last!.Length);

    /// <summary>Takes the first <paramref name="count"/> bytes of <see cref="Room"/>.</summary>
    public void Commit(int count)
    {
        if (count > 0)
        {
            _last!.Length += count;
        }
    }

    /// <summary>Copies bytes to the end.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (Room.IsEmpty)
            {
                Grow(bytes.Length);
            }

            int count = Math.Min(bytes.Length, Room.Length);
            bytes[..count].CopyTo(Room);
            Commit(count);
            bytes = bytes[count..];
        }
    }

    /// <summary>Puts an array to the end without a copy.</summary>
    public void AppendOwned(byte[] bytes)
    {
        if (bytes.Length > 0)
        {
            Link(new Segment(bytes, Length) { Length = bytes.Length });
        }
    }

    // What comes next is likely to be as much again as there is already.
    private void Grow(int atLeast)
    {
        int size = (int)Math.Clamp(Length, Math.Clamp(atLeast, FirstSegment, LargestSegment), LargestSegment);
        Link(new Segment(GC.AllocateUninitializedArray<byte>(size), Length));
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

        public Segment(byte[] bytes, long runningIndex)
        {
            _bytes = bytes;
            Memory = bytes;
            RunningIndex = runningIndex;
        }

        public int Length { get; set; }

        public Span<byte> Room => _bytes.AsSpan(Length);

        public void Append(Segment next)
        {
            Memory = _bytes.AsMemory(0, Length);
            Next = next;
        }
    }
}
