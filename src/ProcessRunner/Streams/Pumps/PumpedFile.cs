using System;
using System.IO;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Pumps;

/// <summary>Opens the files that this process reads or writes in place of a child.</summary>
internal static class PumpedFile
{
    private const int FileNotFound = 2;

    // ERROR_NOT_SUPPORTED of winerror.h. .NET opens no device of Windows that is not a file, and has no number for it.
    private const int NotSupported = 50;

    // ENFILE and EMFILE of errno(3). .NET keeps these numbers as they are.
    private const int TooManyOpenFilesOfSystem = 23;
    private const int TooManyOpenFiles = 24;
    private const int NumberInResult = 0xFFFF;

    /// <summary>Opens a file that other programs may use at the same time.</summary>
    /// <exception cref="LaunchException">The file cannot be opened.</exception>
    public static FileStream Open(string path, FileMode mode, FileAccess access, string stream)
    {
        try
        {
            return new FileStream(path, mode, access, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            int number = NumberOf(exception);
            throw exception.GetBaseException().HResult switch
            {
                // It may pass: the start is repeated, as after a lack of descriptors at any other place.
                TooManyOpenFilesOfSystem =>
                    new LaunchException(number, LaunchStep.OutOfDescriptors, LaunchReason.OutOfFiles),
                TooManyOpenFiles =>
                    new LaunchException(number, LaunchStep.OutOfDescriptors, LaunchReason.OutOfDescriptors),
                _ => new LaunchException(number, LaunchStep.BadStreamFile, LaunchReason.BadStreamFile(path, stream)),
            };
        }
    }

    // .NET keeps the number of the system's error in the innermost exception.
    private static int NumberOf(Exception exception) => exception switch
    {
        DirectoryNotFoundException => FileNotFound,
        NotSupportedException => NotSupported,
        _ => exception.GetBaseException().HResult & NumberInResult,
    };
}
