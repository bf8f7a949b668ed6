using System;
using System.Collections.Concurrent;
using System.IO;

namespace PTest;

/// <summary>Makes the folders for the files that a run needs only while it lasts.</summary>
internal static class ScratchFolder
{
    private static readonly ConcurrentDictionary<string, bool> s_folders = new();

    // EarlyEnd leaves no way through the code that deletes them.
    static ScratchFolder() => AppDomain.CurrentDomain.ProcessExit += (_, _) =>
    {
        foreach (string path in s_folders.Keys)
        {
            Delete(path);
        }
    };

    /// <summary>Makes a new folder in the temporary folder of the system, and gets its path.</summary>
    /// <param name="prefix">The begin of its name.</param>
    /// <exception cref="UsageException">The temporary folder is missing, or may not be written to.</exception>
    public static string Create(string prefix)
    {
        try
        {
            string path = Directory.CreateTempSubdirectory(prefix).FullName;
            s_folders[path] = true;
            return path;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The message of the exception has no path.
            throw new UsageException(
                $"no folder can be made in the temporary folder {Path.GetTempPath()}: {exception.Message}");
        }
    }

    /// <summary>Deletes a folder. What cannot be deleted, or is gone already, is no failure of the run.</summary>
    public static void Delete(string path)
    {
        try
        {
            s_folders.TryRemove(path, out _);
            Directory.Delete(path, recursive: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The system cleans its temporary folder.
        }
    }
}
