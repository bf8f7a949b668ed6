using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class Kernel32
{
    public const uint JOB_OBJECT_LIMIT_PROCESS_TIME = 0x2;
    public const uint JOB_OBJECT_LIMIT_ACTIVE_PROCESS = 0x8;
    public const uint JOB_OBJECT_LIMIT_AFFINITY = 0x10;
    public const uint JOB_OBJECT_LIMIT_PROCESS_MEMORY = 0x100;
    public const uint JOB_OBJECT_LIMIT_BREAKAWAY_OK = 0x800;
    public const uint JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x2000;

    /// <summary>The information class of <see cref="JOBOBJECT_BASIC_ACCOUNTING_INFORMATION"/>.</summary>
    public const int JobObjectBasicAccountingInformation = 1;

    /// <summary>The information class of the list of process ids: two counts and the ids.</summary>
    public const int JobObjectBasicProcessIdList = 3;

    /// <summary>The information class of <see cref="JOBOBJECT_EXTENDED_LIMIT_INFORMATION"/>.</summary>
    public const int JobObjectExtendedLimitInformation = 9;

    /// <summary>Creates a job without a name, whose handle is not inheritable.</summary>
    /// <returns>The handle, or zero.</returns>
    public static nint CreateJobObject() =>
        FaultPoint.Fails("CreateJobObjectW") ? 0 : CreateJobObjectW(null, null);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint CreateJobObjectW(void* security, char* name);

    public static bool AssignProcessToJobObject(nint job, nint process) =>
        !FaultPoint.Fails(nameof(AssignProcessToJobObject)) && AssignToJob(job, process);

    [LibraryImport(Library, EntryPoint = "AssignProcessToJobObject", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool AssignToJob(nint job, nint process);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool IsProcessInJob(nint process, nint job, int* isMember);

    public static bool TerminateJobObject(nint job, uint exitCode) =>
        !FaultPoint.Fails(nameof(TerminateJobObject)) && TerminateJob(job, exitCode);

    [LibraryImport(Library, EntryPoint = "TerminateJobObject", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool TerminateJob(nint job, uint exitCode);

    public static bool SetInformationJobObject(nint job, int kind, void* information, uint size) =>
        !FaultPoint.Fails(nameof(SetInformationJobObject)) && SetJobInformation(job, kind, information, size);

    [LibraryImport(Library, EntryPoint = "SetInformationJobObject", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetJobInformation(nint job, int kind, void* information, uint size);

    public static bool QueryInformationJobObject(nint job, int kind, void* information, uint size) =>
        !FaultPoint.Fails(nameof(QueryInformationJobObject))
        && QueryJobInformation(job, kind, information, size, null);

    [LibraryImport(Library, EntryPoint = "QueryInformationJobObject", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool QueryJobInformation(nint job, int kind, void* information, uint size, uint* returned);

    [StructLayout(LayoutKind.Sequential)]
    public struct JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
    {
        public long TotalUserTime;
        public long TotalKernelTime;
        public long ThisPeriodTotalUserTime;
        public long ThisPeriodTotalKernelTime;
        public uint TotalPageFaultCount;
        public uint TotalProcesses;
        public uint ActiveProcesses;
        public uint TotalTerminatedProcesses;
    }

    /// <summary>Represents the struct of that name, of which some limits are used.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 144)]
    public struct JOBOBJECT_EXTENDED_LIMIT_INFORMATION
    {
        [FieldOffset(0)]
        public long PerProcessUserTimeLimit;
        [FieldOffset(16)]
        public uint LimitFlags;
        [FieldOffset(40)]
        public uint ActiveProcessLimit;
        [FieldOffset(48)]
        public nuint Affinity;
        [FieldOffset(112)]
        public nuint ProcessMemoryLimit;
    }

    /// <summary>Represents the beginning of the struct of that name; the ids follow.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct JOBOBJECT_BASIC_PROCESS_ID_LIST
    {
        public uint NumberOfAssignedProcesses;
        public uint NumberOfProcessIdsInList;
    }
}
