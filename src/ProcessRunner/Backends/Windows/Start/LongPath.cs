using System;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>Adds and removes the prefix with which the system takes paths of any length. Stateless.</summary>
internal static class LongPath
{
    // The length from which on the system takes a path with the prefix alone.
    private const int Shortest = 248;
    private const string Prefix = @"\\?\";
    private const string SharePrefix = @"\\?\UNC\";

    /// <summary>Returns the path that the system takes, for a full one.</summary>
    public static string Extended(string path) =>
        path.Length < Shortest || path.StartsWith(Prefix, StringComparison.Ordinal) ? path
        : IsOfServer(path) ? string.Concat(SharePrefix, path.AsSpan(2))
        : Prefix + path;

    /// <summary>Returns the path without the prefix, for cmd.exe, which does not know it.</summary>
    public static string Plain(string path) =>
        path.StartsWith(SharePrefix, StringComparison.OrdinalIgnoreCase)
            ? string.Concat(@"\\", path.AsSpan(SharePrefix.Length))
        : path.StartsWith(Prefix, StringComparison.Ordinal) ? path[Prefix.Length..]
        : path;

    /// <summary>Returns whether a full path leads to a server.</summary>
    public static bool IsOfServer(string path) => Plain(path).StartsWith(@"\\", StringComparison.Ordinal);
}
