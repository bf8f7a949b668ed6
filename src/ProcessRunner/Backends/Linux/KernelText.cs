using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>Reads the small text files in which the kernel reports numbers. Stateless and thread-safe.</summary>
[SupportedOSPlatform("linux")]
internal static class KernelText
{
    /// <summary>Returns the text of a file, or an empty string if it cannot be read.</summary>
    public static string Of(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    /// <summary>Returns the number that a text is, or the largest number if it is none, such as "max".</summary>
    public static long Number(ReadOnlySpan<char> text) =>
        long.TryParse(
            text,
            NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite,
            CultureInfo.InvariantCulture,
            out long number)
            ? number
            : long.MaxValue;

    /// <summary>Returns the number behind a key, in the text of a file with a key in each line.</summary>
    /// <returns>Null if there is no such line.</returns>
    public static long? NumberAfter(string key, string text)
    {
        foreach (ReadOnlySpan<char> line in text.AsSpan().EnumerateLines())
        {
            if (line.StartsWith(key, StringComparison.Ordinal))
            {
                ReadOnlySpan<char> value = line[key.Length..];
                return Number(value.EndsWith("kB", StringComparison.Ordinal) ? value[..^2] : value);
            }
        }

        return null;
    }
}
