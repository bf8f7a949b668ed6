using System.IO;
using System.Text;

namespace ProcessRunner.Tests.Output;

/// <summary>
/// The first bytes of what <c>seq</c> prints, made here and by a child: every byte's place is told by its line, so
/// that a lost, doubled or displaced block cannot go unseen.
/// </summary>
internal static class NumberedLines
{
    /// <summary>The script that prints the bytes to its standard output.</summary>
    public static string Script(int first, int size) => $"seq {first} 99999999 2>/dev/null | head -c {size}";

    /// <summary>The same bytes.</summary>
    public static byte[] Bytes(int first, int size)
    {
        using MemoryStream stream = new(size + 16);
        for (int number = first; stream.Length < size; number++)
        {
            stream.Write(Encoding.ASCII.GetBytes($"{number}\n"));
        }

        stream.SetLength(size);
        return stream.ToArray();
    }
}
