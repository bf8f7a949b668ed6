using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>One read or write of a pipe that does not block.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe class PipeTransfer
{
    /// <summary>Reads what the pipe holds into one room, and what does not fit there into another one.</summary>
    /// <param name="pipe">The number of our end.</param>
    /// <param name="room">Is filled first; may be empty.</param>
    /// <param name="overflow">Takes the rest; may be empty.</param>
    /// <param name="hasEnded">True if every writer has closed it.</param>
    /// <returns>The number of bytes; zero if there are none now, or none will come.</returns>
    /// <exception cref="Win32Exception">It cannot be read.</exception>
    public static int Read(int pipe, Span<byte> room, Span<byte> overflow, out bool hasEnded)
    {
        fixed (byte* first = room, second = overflow)
        {
            LibC.IoVector* vectors = stackalloc LibC.IoVector[2];
            vectors[0] = new LibC.IoVector { Base = first, Length = (nuint)room.Length };
            vectors[1] = new LibC.IoVector { Base = second, Length = (nuint)overflow.Length };
            nint count;
            while ((count = LibC.ReadV(pipe, vectors, 2)) < 0)
            {
                switch (Marshal.GetLastPInvokeError())
                {
                    case Errno.EINTR:
                        continue;

                    case Errno.EAGAIN:
                        hasEnded = false;
                        return 0;

                    case int error:
                        throw new Win32Exception(error, $"readv: {Marshal.GetPInvokeErrorMessage(error)}");
                }
            }

            hasEnded = count == 0;
            return (int)count;
        }
    }

    /// <summary>Writes what the pipe has room for.</summary>
    /// <param name="pipe">The number of our end.</param>
    /// <param name="bytes">What is to be written; not empty.</param>
    /// <param name="isClosed">True if nobody can read it any more.</param>
    /// <returns>The number of bytes; zero if there is no room now, or nobody reads.</returns>
    /// <exception cref="InsufficientMemoryException">The kernel has no memory for what is written.</exception>
    /// <exception cref="Win32Exception">It cannot be written.</exception>
    public static int Write(int pipe, ReadOnlySpan<byte> bytes, out bool isClosed)
    {
        isClosed = false;
        fixed (byte* first = bytes)
        {
            nint count;
            while ((count = LibC.Write(pipe, first, (nuint)bytes.Length)) < 0)
            {
                switch (Marshal.GetLastPInvokeError())
                {
                    case Errno.EINTR:
                        continue;

                    case Errno.EAGAIN:
                        return 0;

                    case Errno.EPIPE:
                        isClosed = true;
                        return 0;

                    // The kernel takes the memory for a pipe's contents page by page.
                    case Errno.ENOMEM:
                        throw new InsufficientMemoryException($"write: {Marshal.GetPInvokeErrorMessage(Errno.ENOMEM)}");

                    case int error:
                        throw new Win32Exception(error, $"write: {Marshal.GetPInvokeErrorMessage(error)}");
                }
            }

            return (int)count;
        }
    }
}
