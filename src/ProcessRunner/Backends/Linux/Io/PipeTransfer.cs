using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>Provides single non-blocking reads and writes of a pipe.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe class PipeTransfer
{
    /// <summary>Reads into one buffer, and into a second one what does not fit into the first.</summary>
    /// <param name="pipe">The number of our end.</param>
    /// <param name="room">The buffer that is filled first; may be empty.</param>
    /// <param name="overflow">The buffer for the rest; may be empty.</param>
    /// <param name="hasEnded">True if every writer has closed the pipe.</param>
    /// <returns>The number of bytes; zero if the pipe is empty or at its end.</returns>
    /// <exception cref="Win32Exception">The pipe cannot be read.</exception>
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

                    default:
                        throw SystemError.Of("readv");
                }
            }

            hasEnded = count == 0;
            return (int)count;
        }
    }

    /// <summary>Writes as many bytes as the pipe has room for.</summary>
    /// <param name="pipe">The number of our end.</param>
    /// <param name="bytes">The bytes to write; not empty.</param>
    /// <param name="isClosed">True if the pipe has no reader any longer.</param>
    /// <returns>The number of bytes; zero if the pipe has no room now, or no reader.</returns>
    /// <exception cref="InsufficientMemoryException">The kernel has no memory for the bytes.</exception>
    /// <exception cref="Win32Exception">The pipe cannot be written.</exception>
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

                    // The kernel allocates the memory for a pipe's contents page by page.
                    case Errno.ENOMEM:
                        throw new InsufficientMemoryException($"write: {Marshal.GetPInvokeErrorMessage(Errno.ENOMEM)}");

                    default:
                        throw SystemError.Of("write");
                }
            }

            return (int)count;
        }
    }
}
