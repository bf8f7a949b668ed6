using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <inheritdoc/>
/// <remarks>
/// The file never has a name (O_TMPFILE), or loses it as soon as it is open if the file system does not support such
/// files. Its mode is 0600 from the beginning.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxTemporaryFile : TemporaryFile
{
    private const uint OwnerAlone = 0x180;

    private readonly string _directory;
    private readonly SafeFileHandle _handle;

    /// <summary>Creates a file in the directory for temporary files.</summary>
    /// <exception cref="IOException">The file cannot be created there.</exception>
    public LinuxTemporaryFile()
    {
        _directory = Path.GetTempPath();

        // The handle owns the descriptor from here on: a reader keeps it open while another thread disposes of the
        // file.
        _handle = new SafeFileHandle(Open(_directory).Number, ownsHandle: true);
    }

    public override void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            int error = Write(bytes, out int count);
            bytes = bytes[count..];
            Length += count;
            if (error is not (0 or Errno.EINTR))
            {
                throw Failure(_directory, error);
            }
        }
    }

    public override int Read(Span<byte> buffer, long offset) => RandomAccess.Read(_handle, buffer, offset);

    public override void Dispose() => _handle.Dispose();

    private static OwnedDescriptor Open(string directory)
    {
        int descriptor = LibC.Open(directory, LibC.O_TMPFILE | LibC.O_EXCL | LibC.O_RDWR | LibC.O_CLOEXEC, OwnerAlone);
        if (descriptor < 0)
        {
            string path = Path.Combine(directory, $"processrunner-{Guid.NewGuid():N}");
            descriptor = LibC.Open(path, LibC.O_CREAT | LibC.O_EXCL | LibC.O_RDWR | LibC.O_CLOEXEC, OwnerAlone);
            if (descriptor >= 0)
            {
                // A process that cleans the directory may have been faster.
                _ = LibC.Unlink(path);
            }
        }

        try
        {
            return OwnedDescriptor.From(descriptor, "open");
        }
        catch (Win32Exception exception)
        {
            throw Failure(directory, exception.NativeErrorCode);
        }
    }

    // Returns the error number, or zero.
    private int Write(ReadOnlySpan<byte> bytes, out int count)
    {
        ulong* before = stackalloc ulong[FileSizeSignal.MaskWords];
        FileSizeSignal.Block(before);
        nint written;
        fixed (byte* first = bytes)
        {
            written = LibC.PWrite(_handle, first, (nuint)bytes.Length, Length);
        }

        int error = written < 0 ? Marshal.GetLastPInvokeError() : 0;
        FileSizeSignal.Restore(before, error);
        count = (int)Math.Max(0, written);
        return error;
    }

    private static IOException Failure(string directory, int error) => new(
        $"a temporary file in '{directory}' cannot be written: {Marshal.GetPInvokeErrorMessage(error)}", error);
}
