using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public static bool ReadFile(nint file, byte* buffer, uint count, OVERLAPPED* overlapped) =>
        !FaultPoint.Fails("ReadFile") && ReadFile(file, buffer, count, null, overlapped);

    public static bool WriteFile(nint file, byte* buffer, uint count, OVERLAPPED* overlapped) =>
        !FaultPoint.Fails("WriteFile") && WriteFile(file, buffer, count, null, overlapped);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool PeekNamedPipe(
        nint pipe, byte* buffer, uint size, uint* read, uint* available, uint* leftOfMessage);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CancelIoEx(nint file, OVERLAPPED* overlapped);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetOverlappedResult(
        nint file, OVERLAPPED* overlapped, uint* count, [MarshalAs(UnmanagedType.Bool)] bool waits);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool ReadFile(nint file, byte* buffer, uint count, uint* done, OVERLAPPED* overlapped);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool WriteFile(nint file, byte* buffer, uint count, uint* done, OVERLAPPED* overlapped);
}
