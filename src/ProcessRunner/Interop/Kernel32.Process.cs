using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint CREATE_SUSPENDED = 0x4;
    public const uint CREATE_NEW_PROCESS_GROUP = 0x200;
    public const uint CREATE_UNICODE_ENVIRONMENT = 0x400;
    public const uint EXTENDED_STARTUPINFO_PRESENT = 0x80000;
    public const uint CREATE_NO_WINDOW = 0x8000000;
    public const uint STARTF_USESTDHANDLES = 0x100;
    public const nuint PROC_THREAD_ATTRIBUTE_HANDLE_LIST = 0x20002;
    public const nuint PROC_THREAD_ATTRIBUTE_JOB_LIST = 0x2000D;

    public static bool CreateProcess(
        char* application,
        char* commandLine,
        uint flags,
        char* environment,
        char* directory,
        STARTUPINFOEXW* startup,
        PROCESS_INFORMATION* process) =>
        !FaultPoint.Fails("CreateProcessW")
        && CreateProcessW(
            application, commandLine, null, null, isInheriting: true, flags, environment, directory, startup, process);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CreateProcessW(
        char* application,
        char* commandLine,
        void* processSecurity,
        void* threadSecurity,
        [MarshalAs(UnmanagedType.Bool)] bool isInheriting,
        uint flags,
        char* environment,
        char* directory,
        STARTUPINFOEXW* startup,
        PROCESS_INFORMATION* process);

    public static bool InitializeProcThreadAttributeList(void* list, uint count, nuint* size) =>
        !FaultPoint.Fails(nameof(InitializeProcThreadAttributeList)) && InitializeAttributes(list, count, 0, size);

    [LibraryImport(Library, EntryPoint = "InitializeProcThreadAttributeList", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool InitializeAttributes(void* list, uint count, uint flags, nuint* size);

    /// <summary>Adds an attribute, whose value must outlive the list.</summary>
    public static bool UpdateProcThreadAttribute(void* list, nuint attribute, nint* handles, int count)
    {
        string name = attribute == PROC_THREAD_ATTRIBUTE_JOB_LIST
            ? "UpdateProcThreadAttribute JOB_LIST"
            : "UpdateProcThreadAttribute HANDLE_LIST";
        nuint size = (nuint)(count * sizeof(nint));
        return !FaultPoint.Fails(name) && UpdateAttribute(list, 0, attribute, handles, size, null, null);
    }

    [LibraryImport(Library, EntryPoint = "UpdateProcThreadAttribute", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool UpdateAttribute(
        void* list, uint flags, nuint attribute, void* value, nuint size, void* previous, nuint* returned);

    [LibraryImport(Library, EntryPoint = "DeleteProcThreadAttributeList")]
    public static partial void DeleteProcThreadAttributeList(void* list);

    /// <summary>Resumes a thread.</summary>
    /// <returns>How often it was suspended, or -1.</returns>
    public static int ResumeThread(nint thread) => FaultPoint.Fails(nameof(ResumeThread)) ? -1 : Resume(thread);

    [LibraryImport(Library, EntryPoint = "ResumeThread", SetLastError = true)]
    private static partial int Resume(nint thread);

    public static bool TerminateProcess(nint process, uint exitCode) =>
        !FaultPoint.Fails(nameof(TerminateProcess)) && Terminate(process, exitCode);

    [LibraryImport(Library, EntryPoint = "TerminateProcess", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool Terminate(nint process, uint exitCode);

    /// <summary>Represents STARTUPINFOEXW.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct STARTUPINFOEXW
    {
        public uint cb;
        public char* lpReserved;
        public char* lpDesktop;
        public char* lpTitle;
        public uint dwX;
        public uint dwY;
        public uint dwXSize;
        public uint dwYSize;
        public uint dwXCountChars;
        public uint dwYCountChars;
        public uint dwFillAttribute;
        public uint dwFlags;
        public ushort wShowWindow;
        public ushort cbReserved2;
        public byte* lpReserved2;
        public nint hStdInput;
        public nint hStdOutput;
        public nint hStdError;
        public void* lpAttributeList;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PROCESS_INFORMATION
    {
        public nint hProcess;
        public nint hThread;
        public uint dwProcessId;
        public uint dwThreadId;
    }
}
