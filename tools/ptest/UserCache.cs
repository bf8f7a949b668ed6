using System;
using System.IO;

namespace PTest;

/// <summary>Finds the folder of the user for data that can be made again.</summary>
internal static class UserCache
{
    /// <summary>Gets a folder of ptest in XDG_CACHE_HOME, or where the system has such data.</summary>
    /// <returns>The path, or null if the user has no such folder.</returns>
    public static string? Folder(string name) =>
        Root is { Length: > 0 } root ? Path.Combine(root, "ptest", name) : null;

    private static string? Root
    {
        get
        {
            if (Environment.GetEnvironmentVariable("XDG_CACHE_HOME") is { Length: > 0 } cache)
            {
                return Path.IsPathRooted(cache) ? cache : null;
            }

            if (OperatingSystem.IsWindows())
            {
                return Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
            }

            string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
            return home.Length > 0 ? Path.Combine(home, ".cache") : null;
        }
    }
}
