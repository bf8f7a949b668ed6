using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents a descriptor with one owner: the field that holds this struct, which is never copied. Closing twice does
/// nothing. The default value is closed.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct OwnedDescriptor
{
    private int _descriptorPlusOne;

    private OwnedDescriptor(int descriptor) => _descriptorPlusOne = descriptor + 1;

    /// <summary>Gets whether the descriptor is open.</summary>
    public readonly bool IsOpen => _descriptorPlusOne != 0;

    /// <summary>Gets the number of the descriptor; -1 if it is closed.</summary>
    public readonly int Number => _descriptorPlusOne - 1;

    /// <summary>
    /// Takes ownership of the result of a system call. If 0, 1 or 2 is closed in this process, the kernel hands out
    /// those numbers. Such a descriptor is moved above them, because the child's own standard streams would overwrite
    /// it.
    /// </summary>
    /// <exception cref="Win32Exception">The call failed, or the descriptor cannot be moved.</exception>
    public static OwnedDescriptor From(int result, string call)
    {
        SystemError.ThrowIfFailed(result, call);
        return new OwnedDescriptor(result).MovedAboveStandardStreams();
    }

    /// <summary>Opens a close-on-exec pipe and takes ownership of both ends, so that a failure loses neither.</summary>
    /// <exception cref="Win32Exception">The process or the system is out of descriptors; nothing is open.</exception>
    public static unsafe void OpenPipe(out OwnedDescriptor readEnd, out OwnedDescriptor writeEnd)
    {
        int* ends = stackalloc int[2];
        SystemError.ThrowIfFailed(LibC.Pipe2(ends, LibC.O_CLOEXEC), "pipe2");
        readEnd = new OwnedDescriptor(ends[0]);
        writeEnd = new OwnedDescriptor(ends[1]);
        try
        {
            readEnd = readEnd.MovedAboveStandardStreams();
            writeEnd = writeEnd.MovedAboveStandardStreams();
        }
        catch
        {
            readEnd.Close();
            writeEnd.Close();
            throw;
        }
    }

    /// <summary>Closes the descriptor once.</summary>
    public void Close()
    {
        int descriptor = Number;
        _descriptorPlusOne = 0;

        // EINTR closes the descriptor all the same (close(2)). Only EBADF reveals another owner.
        if (descriptor >= 0 && LibC.Close(descriptor) < 0 && Marshal.GetLastPInvokeError() == Errno.EBADF)
        {
            throw new Win32Exception(Errno.EBADF, $"close: descriptor {descriptor} was closed by somebody else");
        }
    }

    private OwnedDescriptor MovedAboveStandardStreams()
    {
        if (Number > 2)
        {
            return this;
        }

        int moved = LibC.Fcntl(Number, LibC.F_DUPFD_CLOEXEC, 3);
        if (moved < 0)
        {
            Win32Exception failure = SystemError.Of("fcntl");
            Close();
            throw failure;
        }

        Close();
        return new OwnedDescriptor(moved);
    }
}
