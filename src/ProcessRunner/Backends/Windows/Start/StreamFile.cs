using System.ComponentModel;
using System.IO;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>Opens the files that a command names for the standard streams of its child.</summary>
[SupportedOSPlatform("windows")]
internal static class StreamFile
{
    // As on Unix, nobody is kept from reading, writing or removing a file that is a child's stream.
    private const uint Share = Kernel32.FILE_SHARE_READ | Kernel32.FILE_SHARE_WRITE | Kernel32.FILE_SHARE_DELETE;

    /// <summary>Opens a file to be read.</summary>
    /// <exception cref="LaunchException">The file cannot be opened.</exception>
    public static OwnedHandle OpenInput(string path) =>
        Open(path, "input", Kernel32.GENERIC_READ, Kernel32.OPEN_EXISTING);

    /// <summary>Opens a file to be written. It is created if it does not exist.</summary>
    /// <param name="path">The file.</param>
    /// <param name="append">Whether it keeps its contents, and every write goes to its end.</param>
    /// <param name="stream">The name of the stream.</param>
    /// <exception cref="LaunchException">The file cannot be opened.</exception>
    public static OwnedHandle OpenOutput(string path, bool append, string stream) => append
        ? Open(path, stream, Kernel32.FILE_GENERIC_WRITE & ~Kernel32.FILE_WRITE_DATA, Kernel32.OPEN_ALWAYS)
        : Open(path, stream, Kernel32.GENERIC_WRITE, Kernel32.CREATE_ALWAYS);

    private static OwnedHandle Open(string path, string stream, uint access, uint disposition)
    {
        try
        {
            nint result = Kernel32.CreateFile(LongPath.Extended(Path.GetFullPath(path)), access, Share, disposition);
            return OwnedHandle.From(result, "CreateFileW");
        }
        catch (IOException)
        {
            throw Failure(path, stream, Win32Error.ERROR_FILENAME_EXCED_RANGE);
        }
        catch (Win32Exception exception)
        {
            throw StartError.IsShortage(exception.NativeErrorCode)
                ? StartError.Explain(exception)
                : Failure(path, stream, exception.NativeErrorCode);
        }
    }

    private static LaunchException Failure(string path, string stream, int error) =>
        new(error, LaunchStep.BadStreamFile, LaunchReason.BadStreamFile(path, stream));
}
