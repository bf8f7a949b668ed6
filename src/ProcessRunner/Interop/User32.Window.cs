using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

/// <summary>Declares functions of user32.dll and their constants, with the names of C.</summary>
internal static unsafe partial class User32
{
    public const uint WM_CLOSE = 0x0010;

    private const string Library = "user32";

    /// <summary>Calls back for each top-level window of this desktop, until the callback returns zero.</summary>
    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool EnumWindows(delegate* unmanaged<nint, nint, int> callback, nint state);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint GetWindowThreadProcessId(nint window, uint* processId);

    /// <summary>Queues a message for the thread of a window, and does not wait for it.</summary>
    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool PostMessageW(nint window, uint message, nuint first, nint second);
}
