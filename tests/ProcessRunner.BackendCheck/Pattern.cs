using System;
using System.IO;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Provides bytes of which each depends on its place, so that a byte that is lost, doubled or moved is noticed.
/// </summary>
internal static class Pattern
{
    private const int Piece = 1 << 16;

    /// <summary>Returns the byte at a place.</summary>
    public static byte At(long place) => (byte)(place ^ (place >> 8) ^ (place >> 16));

    /// <summary>Creates the first bytes.</summary>
    public static byte[] Create(int count)
    {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++)
        {
            bytes[i] = At(i);
        }

        return bytes;
    }

    /// <summary>Writes the first bytes to each of the streams, by turns.</summary>
    public static void Write(int count, params Stream[] streams)
    {
        byte[] bytes = Create(Math.Min(count, 256 * Piece));
        for (int done = 0; done < count;)
        {
            int step = Math.Min(Piece, count - done);
            int start = done % (256 * Piece);
            foreach (Stream stream in streams)
            {
                stream.Write(bytes, start, step);
            }

            done += step;
        }
    }

    /// <summary>Returns whether a capture holds exactly the first bytes.</summary>
    public static bool Matches(CapturedOutput output, int count)
    {
        long place = 0;
        foreach (ReadOnlyMemory<byte> piece in output.Bytes)
        {
            foreach (byte value in piece.Span)
            {
                if (value != At(place++))
                {
                    return false;
                }
            }
        }

        return place == count;
    }
}
