using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Backends.Starts;

/// <summary>
/// Lists the paths that a command's name can stand for, in the order of the search. Pure: asks neither the system nor
/// the environment.
/// </summary>
internal static class ProgramCandidates
{
    // The extensions that CreateProcess can run. PATHEXT names scripts, too, which only a shell runs.
    private static readonly string[] s_runnable = [".COM", ".EXE", ".BAT", ".CMD"];

    /// <summary>Lists the paths by the rules of execvp(3).</summary>
    /// <param name="name">The name.</param>
    /// <param name="searchPath">
    /// The value of PATH, of which an empty entry stands for the current directory; null if the name is a path.
    /// </param>
    public static IEnumerable<string> OfUnix(string name, string? searchPath) => searchPath is null
        ? [name]
        : searchPath.Split(':')
            .Select(directory => directory.Length > 0 ? $"{directory.TrimEnd('/')}/{name}" : $"./{name}");

    /// <summary>
    /// Lists the paths by the rules of Windows, except that the current directory is never searched: an entry of PATH
    /// that is not a full path is skipped.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="searchPath">The value of PATH; null if the name is a path.</param>
    /// <param name="extensions">The value of PATHEXT, or null if it is not set.</param>
    public static IEnumerable<string> OfWindows(string name, string? searchPath, string? extensions)
    {
        // The 12 of python3.12 is no extension. Without a dot, only a path can mean a file as it is.
        IEnumerable<string> names = IsRunnable(name) ? [] : Endings(extensions).Select(ending => name + ending);
        names = searchPath is null || name.Contains('.') ? names.Append(name) : names;
        return searchPath is null
            ? names
            : Directories(searchPath).SelectMany(directory => names.Select(candidate => directory + candidate));
    }

    private static IEnumerable<string> Directories(string searchPath) =>
        searchPath.Split(';', StringSplitOptions.TrimEntries)
            .Select(directory => directory.Trim('"'))
            .Where(IsFullPath)
            .Select(directory => directory[^1] is '\\' or '/' ? directory : directory + '\\');

    private static string[] Endings(string? extensions)
    {
        string[] named = [.. (extensions ?? "").Split(';', StringSplitOptions.TrimEntries)
            .Where(extension => s_runnable.Contains(extension, StringComparer.OrdinalIgnoreCase))];
        return named.Length > 0 ? named : s_runnable;
    }

    private static bool IsRunnable(string name) =>
        Array.Exists(s_runnable, extension => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase));

    private static bool IsFullPath(string directory) =>
        directory.StartsWith(@"\\", StringComparison.Ordinal)
        || (directory.Length > 2 && directory[1] == ':' && directory[2] is ('\\' or '/'));
}
