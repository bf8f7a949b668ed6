using System;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.Backends.Primitives;

/// <inheritdoc/>
/// <remarks>
/// The name is random, and only the owner may open the file. Windows deletes it with its handle. On the other systems
/// it loses its name as soon as it is open.
/// </remarks>
internal sealed class ManagedTemporaryFile : TemporaryFile
{
    private readonly FileStream _file;

    /// <summary>Creates a file in the directory for temporary files.</summary>
    /// <exception cref="IOException">The file cannot be created there.</exception>
    public ManagedTemporaryFile()
    {
        string directory = Path.GetTempPath();
        string path = Path.Combine(directory, $"processrunner-{Guid.NewGuid():N}");
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = FileShare.None,
            BufferSize = 0,
            Options = FileOptions.DeleteOnClose,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            ManagedFileSize.Handle();
            _file = new FileStream(path, options);
            if (!OperatingSystem.IsWindows())
            {
                File.Delete(path);
            }
        }
        catch (UnauthorizedAccessException exception)
        {
            throw new IOException(
                $"a temporary file in '{directory}' cannot be written: {exception.Message}", exception);
        }
    }

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        try
        {
            RandomAccess.Write(Handle, bytes, Length);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            throw ManagedFileSize.ErrorOf(exception, _file.Name);
        }

        Length += bytes.Length;
    }

    public override int Read(Span<byte> buffer, long offset) => RandomAccess.Read(Handle, buffer, offset);

    public override void Dispose() => _file.Dispose();

    private SafeFileHandle Handle => _file.SafeFileHandle;
}
