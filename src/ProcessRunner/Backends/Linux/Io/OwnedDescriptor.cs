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
        ThrowIfFailed(result, call);
        return new OwnedDescriptor(result).MovedAboveStandardStreams();
    }

    /// <summary>Takes ownership of both ends of a pipe at once, so that a failure loses neither.</summary>
    /// <exception cref="Win32Exception">One of the ends cannot be moved; both are closed.</exception>
    public static void FromPair(int first, int second, out OwnedDescriptor firstOwner, out OwnedDescriptor secondOwner)
    {
        firstOwner = new OwnedDescriptor(first);
        secondOwner = new OwnedDescriptor(second);
        try
        {
            firstOwner = firstOwner.MovedAboveStandardStreams();
            secondOwner = secondOwner.MovedAboveStandardStreams();
        }
        catch
        {
            firstOwner.Close();
            secondOwner.Close();
            throw;
        }
    }

    /// <summary>Throws the error that a negative result stands for.</summary>
    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"{call}: {Marshal.GetPInvokeErrorMessage(error)}");
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
            int error = Marshal.GetLastPInvokeError();
            Close();
            throw new Win32Exception(error, $"fcntl: {Marshal.GetPInvokeErrorMessage(error)}");
        }

        Close();
        return new OwnedDescriptor(moved);
    }
}
