using System;
using System.IO;
using System.Text;

namespace Batch.Output;

/// <summary>Copies output and begins each line of it with the item of its job.</summary>
internal static class LineTag
{
    private const int BufferSize = 64 * 1024;

    /// <summary>Copies the whole stream. Adds a missing line end, so that the next tag begins a line.</summary>
    public static void Copy(Stream from, Stream to, string item)
    {
        byte[] tag = Encoding.UTF8.GetBytes($"{item}\t");
        byte[] buffer = new byte[BufferSize];

        // The stream is not disposed, because Dispose would write the remainder of a failed write.
        BufferedStream tagged = new(to, BufferSize);
        bool isLineBegun = false;
        while (from.Read(buffer) is int read and > 0)
        {
            ReadOnlySpan<byte> rest = buffer.AsSpan(0, read);
            while (!rest.IsEmpty)
            {
                if (!isLineBegun)
                {
                    tagged.Write(tag);
                }

                int end = rest.IndexOf((byte)'\n');
                isLineBegun = end < 0;
                int length = isLineBegun ? rest.Length : end + 1;
                tagged.Write(rest[..length]);
                rest = rest[length..];
            }
        }

        if (isLineBegun)
        {
            tagged.Write("\n"u8);
        }

        tagged.Flush();
    }
}
