using System.Runtime.InteropServices;

namespace ProcessRunner.TestChild;

/// <summary>Declares the functions of Windows that take the place of the C library there.</summary>
internal static unsafe partial class Kernel32
{
    public const int InvalidHandleError = 6;
    public const int BrokenPipeError = 109;
    public const int NoDataError = 232;
    public const int NotConnectedError = 233;

    private const string Library = "kernel32";

    /// <summary>Gets the command line of this process, as it is.</summary>
    public static string CommandLine => new(GetCommandLine());

    /// <summary>Gets the handle of descriptor 0, 1 or 2: STD_INPUT_HANDLE is -10.</summary>
    public static nint Standard(int descriptor) => GetStandardHandle(-10 - descriptor);

    public static void SetStandard(int descriptor, nint handle) => _ = SetStandardHandle(-10 - descriptor, handle);

    [LibraryImport(Library, EntryPoint = "ReadFile", SetLastError = true)]
    public static partial int Read(nint handle, byte* buffer, int count, int* done, nint overlapped);

    [LibraryImport(Library, EntryPoint = "WriteFile", SetLastError = true)]
    public static partial int Write(nint handle, byte* buffer, int count, int* done, nint overlapped);

    [LibraryImport(Library, EntryPoint = "CloseHandle", SetLastError = true)]
    public static partial int Close(nint handle);

    [LibraryImport(Library, EntryPoint = "GetCommandLineW")]
    private static partial char* GetCommandLine();

    [LibraryImport(Library, EntryPoint = "GetStdHandle")]
    private static partial nint GetStandardHandle(int which);

    [LibraryImport(Library, EntryPoint = "SetStdHandle")]
    private static partial int SetStandardHandle(int which, nint handle);
}
