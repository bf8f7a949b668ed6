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
        const uint UsesTheseHandles = 0x100;

        // It gets no handles. Otherwise Windows would give a program at the same console the streams of this one.
        StartInformation start = new() { Size = (uint)sizeof(StartInformation), Flags = UsesTheseHandles };
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

    // STARTUPINFOW, of which nothing but the size and the flags is set.
    [StructLayout(LayoutKind.Explicit, Size = 104)]
    private struct StartInformation
    {
        [FieldOffset(0)]
        public uint Size;

        [FieldOffset(60)]
        public uint Flags;
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
