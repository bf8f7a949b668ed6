using System;
using System.IO;

namespace ProcessRunner.Backends.Starts;

/// <summary>Recognizes batch files, which cmd.exe runs.</summary>
internal static class BatchFile
{
    /// <summary>Returns whether CreateProcess would have cmd.exe run a file.</summary>
    public static bool Is(string path)
    {
        // The system ignores dots and spaces at the end of a name.
        ReadOnlySpan<char> extension = Path.GetExtension(path.AsSpan().TrimEnd(". "));
        return extension.Equals(".bat", StringComparison.OrdinalIgnoreCase)
            || extension.Equals(".cmd", StringComparison.OrdinalIgnoreCase);
    }
}
