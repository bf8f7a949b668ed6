using System.IO;
using System.Text;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Generates the first bytes of the output of <c>seq</c>, here and in a child. Each line reveals the place of its
/// bytes, so that a lost, duplicate or displaced block is always noticed.
/// </summary>
internal static class NumberedLines
{
    /// <summary>Gets the script that prints the bytes to its standard output.</summary>
    public static string Script(int first, int size) => $"seq {first} 99999999 2>/dev/null | head -c {size}";

    /// <summary>Creates a command for a child that prints the bytes, on every system.</summary>
    public static ProcessCommand Command(int first, int size) =>
        TestPrograms.Quick("numbers", $"{first}", $"{size}");

    /// <summary>Gets the same bytes.</summary>
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
