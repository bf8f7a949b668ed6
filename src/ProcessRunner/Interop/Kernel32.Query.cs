using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint PROCESS_QUERY_INFORMATION = 0x400;
    public const uint PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;

    [LibraryImport(Library, SetLastError = true)]
    public static partial nint OpenProcess(
        uint access, [MarshalAs(UnmanagedType.Bool)] bool isInheritable, uint processId);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetExitCodeProcess(nint process, uint* exitCode);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool QueryFullProcessImageNameW(nint process, uint flags, char* name, uint* length);
}
