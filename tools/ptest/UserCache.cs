using System;
using System.IO;

namespace PTest;

/// <summary>Keeps data that can be made again in a folder of the user.</summary>
internal static class UserCache
{
    /// <summary>Gets a folder of ptest in XDG_CACHE_HOME, or where the system has such data.</summary>
    /// <returns>The path, or null if the user has no such folder.</returns>
    public static string? Folder(string name) =>
        Root is { Length: > 0 } root ? Path.Combine(root, "ptest", name) : null;

    /// <summary>
    /// Gets a path beside a file for its next content. Other runs have other ones, even those in other containers,
    /// where processes have the same ids.
    /// </summary>
    public static string Beside(string path) => $"{path}.{Guid.NewGuid():n}";

    /// <summary>Writes a file, which others may read or write at the same time: it is exchanged whole.</summary>
    public static void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        string temporary = Beside(path);
        try
        {
            File.WriteAllText(temporary, text);
            File.Move(temporary, path, overwrite: true);
        }
        finally
        {
            File.Delete(temporary);
        }
    }

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
