using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    // The numbers of winbase.h are DWORDs of negative numbers.
    public const uint STD_INPUT_HANDLE = unchecked((uint)-10);
    public const uint STD_OUTPUT_HANDLE = unchecked((uint)-11);
    public const uint STD_ERROR_HANDLE = unchecked((uint)-12);

    /// <summary>Gets a standard handle of this process; zero or a closed handle if there is none.</summary>
    [LibraryImport(Library, EntryPoint = "GetStdHandle", SetLastError = true)]
    public static partial nint GetStdHandle(uint standard);

    /// <summary>Gets the number of processes at the console of this process; zero without a console.</summary>
    [LibraryImport(Library, EntryPoint = "GetConsoleProcessList", SetLastError = true)]
    public static partial uint GetConsoleProcessList(uint* processIds, uint count);
}
