using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>Provides single reads of a pipe that do not block, and the meaning of errors.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe class PipeTransfer
{
    // An event with its low bit set keeps the end of the read from the port.
    private const nint WithoutPacket = 1;

    // Closed by its finalizer after the end of the thread.
    [ThreadStatic]
    private static ManualResetEvent? s_event;

    /// <summary>Returns the number of bytes that the pipe holds. They can vanish if the writer is killed.</summary>
    public static int CountUnread(nint pipe, out bool hasEnded)
    {
        uint available = 0;
        hasEnded = !Kernel32.PeekNamedPipe(pipe, null, 0, null, &available, null)
            && IsEnd(Marshal.GetLastPInvokeError());
        return (int)available;
    }

    /// <summary>Reads what the pipe holds now. A read that would have to wait is canceled.</summary>
    /// <param name="pipe">Our end.</param>
    /// <param name="room">The destination of the bytes; not empty.</param>
    /// <param name="hasEnded">True if every writer has closed the pipe.</param>
    /// <returns>The number of bytes; zero if the pipe is empty or at its end.</returns>
    /// <exception cref="OutOfMemoryException">The system lacks memory for the read.</exception>
    /// <exception cref="Win32Exception">The pipe cannot be read.</exception>
    public static int Read(nint pipe, Span<byte> room, out bool hasEnded)
    {
        Kernel32.OVERLAPPED overlapped = new() { hEvent = EventOfThisThread() | WithoutPacket };
        int error = 0;
        fixed (byte* first = room)
        {
            if (!Kernel32.ReadFile(pipe, first, (uint)room.Length, &overlapped))
            {
                error = Marshal.GetLastPInvokeError();
            }

            if (error == Win32Error.ERROR_IO_PENDING)
            {
                error = Cancel(pipe, &overlapped);
            }
        }

        hasEnded = IsEnd(error);
        return error switch
        {
            0 => (int)overlapped.InternalHigh,
            Win32Error.ERROR_OPERATION_ABORTED => 0,
            _ when hasEnded => 0,
            _ when StartError.IsShortage(error) =>
                throw new InsufficientMemoryException(SystemError.Message("ReadFile", error)),
            _ => throw SystemError.Of("ReadFile", error),
        };
    }

    /// <summary>Returns whether the error says that nobody holds the other end of a pipe any longer.</summary>
    public static bool IsEnd(int error) => error is
        Win32Error.ERROR_BROKEN_PIPE or Win32Error.ERROR_NO_DATA or Win32Error.ERROR_PIPE_NOT_CONNECTED;

    // Bytes that arrive before the cancellation are read as well. Returns the error, or zero.
    private static int Cancel(nint pipe, Kernel32.OVERLAPPED* overlapped)
    {
        Kernel32.CancelIoEx(pipe, overlapped);
        uint count;
        return Kernel32.GetOverlappedResult(pipe, overlapped, &count, waits: true)
            ? 0
            : Marshal.GetLastPInvokeError();
    }

    private static nint EventOfThisThread()
    {
        try
        {
            s_event ??= new ManualResetEvent(initialState: false);
        }
        catch (IOException exception)
        {
            throw new InsufficientMemoryException(exception.Message, exception);
        }

        return s_event.SafeWaitHandle.DangerousGetHandle();
    }
}
