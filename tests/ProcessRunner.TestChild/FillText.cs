using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace ProcessRunner.TestChild;

/// <summary>
/// Generates the text of the words <c>fill</c> and <c>fill-err</c>: endless, always the same, printable ASCII, in lines
/// of 79 characters. Each byte depends only on its position, so the text can be generated in pieces of any length.
/// </summary>
public static class FillText
{
    /// <summary>The length of a line, including its newline.</summary>
    public const int LineLength = 80;

    private const int BlockLength = sizeof(ulong);
    private const int BlocksPerLine = LineLength / BlockLength;
    private const ulong Seed = 0x9E3779B97F4A7C15;

    /// <summary>
    /// Fills the destination with the text from <paramref name="position"/> on, and advances the position.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static void Generate(Span<byte> destination, ref long position)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);

        long block = position / BlockLength;
        int skip = (int)(position % BlockLength);
        position += destination.Length;

        Span<byte> partial = stackalloc byte[BlockLength];
        if (skip != 0)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(partial, Block(block++));
            int count = Math.Min(BlockLength - skip, destination.Length);
            partial.Slice(skip, count).CopyTo(destination);
            destination = destination[count..];
        }

        while (destination.Length >= BlockLength)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(destination, Block(block++));
            destination = destination[BlockLength..];
        }

        BinaryPrimitives.WriteUInt64LittleEndian(partial, Block(block));
        partial[..destination.Length].CopyTo(destination);
    }

    /// <summary>Gets the first <paramref name="count"/> bytes of the text.</summary>
    public static byte[] Bytes(long count)
    {
        byte[] bytes = new byte[count];
        long position = 0;
        Generate(bytes, ref position);
        return bytes;
    }

    /// <summary>
    /// Computes the SHA-256 of the first <paramref name="count"/> bytes, for texts that are too long to be held in
    /// memory.
    /// </summary>
    public static byte[] Sha256(long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);

        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] chunk = new byte[StandardStreams.ChunkSize];
        long position = 0;
        while (position < count)
        {
            Span<byte> piece = chunk.AsSpan(0, (int)Math.Min(chunk.Length, count - position));
            Generate(piece, ref position);
            hash.AppendData(piece);
        }

        return hash.GetHashAndReset();
    }

    // SplitMix64 hashes the number of the block. Six bits of the hash make each byte: the 64 characters from '0' to
    // 'o'.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Block(long index)
    {
        ulong value = ((ulong)index + 1) * Seed;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        value ^= value >> 31;
        value = (value & 0x3F3F3F3F3F3F3F3F) + 0x3030303030303030;
        return (ulong)index % BlocksPerLine == BlocksPerLine - 1
            ? (value & 0x00FFFFFFFFFFFFFF) | ((ulong)'\n' << 56)
            : value;
    }
}
