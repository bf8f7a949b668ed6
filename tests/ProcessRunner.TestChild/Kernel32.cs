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

    /// <summary>Starts a program that leaves the job of this process, which may refuse that.</summary>
    public static bool StartOutsideTheJob(string commandLine)
    {
        const uint BreakAwayFromJob = 0x1000000;
        StartInformation start = new() { Size = (uint)sizeof(StartInformation) };
        ProcessInformation process;
        fixed (char* changeable = (commandLine + '\0').ToCharArray())
        {
            return CreateProcess(null, changeable, 0, 0, 0, BreakAwayFromJob, 0, null, &start, &process) != 0;
        }
    }

    [LibraryImport(Library, EntryPoint = "ReadFile", SetLastError = true)]
    public static partial int Read(nint handle, byte* buffer, int count, int* done, nint overlapped);

    [LibraryImport(Library, EntryPoint = "WriteFile", SetLastError = true)]
    public static partial int Write(nint handle, byte* buffer, int count, int* done, nint overlapped);

    [LibraryImport(Library, EntryPoint = "CloseHandle", SetLastError = true)]
    public static partial int Close(nint handle);

    [LibraryImport(Library, EntryPoint = "CreateProcessW", SetLastError = true)]
    private static partial int CreateProcess(
        char* program,
        char* commandLine,
        nint processSecurity,
        nint threadSecurity,
        int inheritsHandles,
        uint flags,
        nint environment,
        char* directory,
        StartInformation* start,
        ProcessInformation* process);

    [LibraryImport(Library, EntryPoint = "GetCommandLineW")]
    private static partial char* GetCommandLine();

    [LibraryImport(Library, EntryPoint = "GetStdHandle")]
    private static partial nint GetStandardHandle(int which);

    [LibraryImport(Library, EntryPoint = "SetStdHandle")]
    private static partial int SetStandardHandle(int which, nint handle);

    // STARTUPINFOW, of which nothing but the size is set.
    [StructLayout(LayoutKind.Sequential, Size = 104)]
    private struct StartInformation
    {
        public uint Size;
    }

    // PROCESS_INFORMATION.
    [StructLayout(LayoutKind.Sequential)]
    private struct ProcessInformation
    {
        public nint Process;
        public nint Thread;
        public uint ProcessId;
        public uint ThreadId;
    }
}
