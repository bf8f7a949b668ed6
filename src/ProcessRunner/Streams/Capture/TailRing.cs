using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Capture;

/// <summary>
/// Holds the last bytes of a stream, at most <paramref name="limit"/>. Grows with the output. Owned by one sink, and
/// guarded by the child's gate like it.
/// </summary>
internal sealed class TailRing(int limit)
{
    private const int FirstSize = 4096;

    private byte[] _bytes = [];
    private int _start;
    private int _count;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        bytes = bytes[Math.Max(0, bytes.Length - limit)..];
        Reserve(bytes.Length);
        int overwritten = Math.Max(0, _count + bytes.Length - _bytes.Length);
        if (_bytes.Length > 0)
        {
            int end = (_start + _count) % _bytes.Length;
            int first = Math.Min(bytes.Length, _bytes.Length - end);
            bytes[..first].CopyTo(_bytes.AsSpan(end));
            bytes[first..].CopyTo(_bytes);
            _start = (_start + overwritten) % _bytes.Length;
        }

        _count += bytes.Length - overwritten;
    }

    /// <summary>Releases the bytes.</summary>
    public void Clear()
    {
        _bytes = [];
        _start = 0;
        _count = 0;
    }

    /// <summary>Returns the bytes in order, and leaves the ring empty.</summary>
    public byte[] Take()
    {
        byte[] bytes = _bytes;
        if (_count < bytes.Length)
        {
            bytes = bytes[.._count];
        }
        else
        {
            // In place: with many children, a second copy of each tail would take a lot of memory.
            bytes.AsSpan(0, _start).Reverse();
            bytes.AsSpan(_start).Reverse();
            bytes.AsSpan().Reverse();
        }

        Clear();
        return bytes;
    }

    // The ring does not wrap while it grows: only a full ring wraps.
    private void Reserve(int more)
    {
        if (_count + more > _bytes.Length && _bytes.Length < limit)
        {
            int wanted = (int)Math.Min(limit, Math.Max((long)_count + more, Math.Max(FirstSize, _bytes.Length * 2L)));
            byte[] larger = Buffers.Allocate<byte>(wanted);
            _bytes.AsSpan(0, _count).CopyTo(larger);
            _bytes = larger;
        }
    }
}
