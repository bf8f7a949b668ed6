using System;
using System.Globalization;

namespace PTest.Units;

/// <summary>Specifies which tests share a process.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Size">The number of collections in a chunk.</param>
internal readonly record struct Isolation(IsolationKind Kind, int Size = 1)
{
    /// <summary>Reads the words of the option: adaptive, test, class, collection, chunk:N, assembly.</summary>
    /// <exception cref="FormatException">It is none of them.</exception>
    public static Isolation Parse(string text)
    {
        const string Chunk = "chunk:";
        if (text.StartsWith(Chunk, StringComparison.Ordinal)
            && int.TryParse(text.AsSpan(Chunk.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int size)
            && size > 0)
        {
            return new Isolation(IsolationKind.Chunk, size);
        }

        return text switch
        {
            "test" => new Isolation(IsolationKind.Test),
            "class" => new Isolation(IsolationKind.Class),
            "collection" => new Isolation(IsolationKind.Collection),
            "assembly" => new Isolation(IsolationKind.Assembly),
            "adaptive" => new Isolation(IsolationKind.Adaptive),
            _ => throw new FormatException(
                $"'{text}' is not an isolation: test, class, collection, assembly, chunk:N, adaptive"),
        };
    }
}
