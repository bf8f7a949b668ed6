using System;
using System.Buffers;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Represents a rented array of bytes that doubles on demand.</summary>
internal sealed class GrowingBuffer : IDisposable
{
    private const int FirstSize = 4096;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstSize);
    private int _count;

    /// <summary>Gets the bytes written so far.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    /// <summary>Gets free space for more bytes; never empty.</summary>
    public Span<byte> Room
    {
        get
        {
            if (_count == _bytes.Length)
            {
                byte[] larger = ArrayPool<byte>.Shared.Rent(_bytes.Length * 2);
                Written.CopyTo(larger);
                ArrayPool<byte>.Shared.Return(_bytes);
                _bytes = larger;
            }

            return _bytes.AsSpan(_count);
        }
    }

    public void Commit(int count) => _count += count;

    public void Dispose() => ArrayPool<byte>.Shared.Return(_bytes);
}
