using System;
using System.IO;

namespace PTest;

/// <summary>Makes the folders for the files that a run needs only while it lasts.</summary>
internal static class ScratchFolder
{
    /// <summary>Makes a new folder in the temporary folder of the system, and gets its path.</summary>
    /// <param name="prefix">The begin of its name.</param>
    /// <exception cref="UsageException">The temporary folder is missing, or may not be written to.</exception>
    public static string Create(string prefix)
    {
        try
        {
            return Directory.CreateTempSubdirectory(prefix).FullName;
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
            Directory.Delete(path, recursive: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The system cleans its temporary folder.
        }
    }
}
