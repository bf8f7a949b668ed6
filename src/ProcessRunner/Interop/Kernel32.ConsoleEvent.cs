using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint CTRL_BREAK_EVENT = 1;

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GenerateConsoleCtrlEvent(uint controlEvent, uint processGroup);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool AttachConsole(uint process);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool FreeConsole();

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetConsoleCtrlHandler(
        delegate* unmanaged<uint, int> handler, [MarshalAs(UnmanagedType.Bool)] bool isAdded);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetStdHandle(uint standard, nint handle);
}
