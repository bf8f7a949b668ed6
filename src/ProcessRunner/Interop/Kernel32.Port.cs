using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    /// <summary>The status of a transfer under way.</summary>
    public const int STATUS_PENDING = 0x103;

    /// <summary>Creates a completion port, or associates a handle with one.</summary>
    /// <returns>The port, or zero.</returns>
    public static nint CreateIoCompletionPort(nint file, nint port, nuint key, uint threads) =>
        FaultPoint.Fails("CreateIoCompletionPort") ? 0 : CreatePort(file, port, key, threads);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetQueuedCompletionStatusEx(
        nint port,
        OVERLAPPED_ENTRY* entries,
        uint capacity,
        uint* count,
        uint timeoutMilliseconds,
        [MarshalAs(UnmanagedType.Bool)] bool isAlertable);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool PostQueuedCompletionStatus(nint port, uint bytes, nuint key, OVERLAPPED* overlapped);

    [LibraryImport(Library, EntryPoint = "CreateIoCompletionPort", SetLastError = true)]
    private static partial nint CreatePort(nint file, nint port, nuint key, uint threads);

    /// <summary>Represents OVERLAPPED: the state of one transfer.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct OVERLAPPED
    {
        /// <summary>The status (NTSTATUS) of the completed transfer.</summary>
        public nuint Internal;

        /// <summary>The number of bytes of the completed transfer.</summary>
        public nuint InternalHigh;

        public uint Offset;
        public uint OffsetHigh;

        /// <summary>The event. With its low bit set, the completion is not reported to the port.</summary>
        public nint hEvent;
    }

    /// <summary>Represents OVERLAPPED_ENTRY: a packet of a completion port.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct OVERLAPPED_ENTRY
    {
        public nuint lpCompletionKey;
        public OVERLAPPED* lpOverlapped;

        /// <summary>The status (NTSTATUS) of the completed transfer.</summary>
        public nuint Internal;

        public uint dwNumberOfBytesTransferred;
    }
}
