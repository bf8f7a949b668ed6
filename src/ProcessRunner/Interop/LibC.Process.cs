using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int P_PID = 1;
    public const int P_PIDFD = 3;
    public const int WNOHANG = 1;
    public const int WEXITED = 4;
    public const int WNOWAIT = 0x01000000;
    public const ulong PIDFD_INFO_EXIT = 8;
    public const int CLD_EXITED = 1;
    public const int CLD_DUMPED = 3;
    public const nint SIG_DFL = 0;
    public const nint SIG_IGN = 1;
    public const int SIGHUP = 1;
    public const int SIGINT = 2;
    public const int SIGKILL = 9;
    public const int SIGCONT = 18;
    public const int SIGCHLD = 17;
    public const int SIGSTOP = 19;
    public const int SIGXFSZ = 25;
    public const int SIG_BLOCK = 0;
    public const int SIG_SETMASK = 2;

    // _IOWR(0xFF, 11, struct pidfd_info) with the size of the struct's first version.
    private const nuint PIDFD_GET_INFO = 0xC040FF0B;

    // The same on x64 and arm64.
    private const nuint FIONREAD = 0x541B;

    // The numbers are the same on every 64-bit architecture, except those that x64 kept from its own table.
    private const nint SYS_pidfd_send_signal = 424;
    private const nint SYS_pidfd_open = 434;

    private static PerArchitecture SYS_gettid { get; } = new(x64: 186, arm64: 178);

    private static PerArchitecture SYS_waitid { get; } = new(x64: 247, arm64: 95);

    public static int Kill(int processId, int signal) =>
        FaultPoint.Fails("kill") ? -1 : kill(processId, signal);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int kill(int processId, int signal);

    public static int GetProcessGroup(int processId) =>
        FaultPoint.Fails("getpgid") ? -1 : getpgid(processId);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int getpgid(int processId);

    public static int PidFdOpen(int processId) =>
        FaultPoint.Fails("pidfd_open") ? -1 : (int)syscall(SYS_pidfd_open, processId, 0, 0, 0, 0);

    public static int PidFdGetInfo(int pidfd, PidFdInfo* info) =>
        FaultPoint.Fails("ioctl PIDFD_GET_INFO") ? -1 : ioctl(pidfd, PIDFD_GET_INFO, info);

    public static int PidFdSendSignal(int pidfd, int signal) =>
        FaultPoint.Fails("pidfd_send_signal") ? -1 : (int)syscall(SYS_pidfd_send_signal, pidfd, signal, 0, 0, 0);

    /// <summary>Returns the kernel's id of the calling thread.</summary>
    public static int GetThreadId() => (int)syscall(SYS_gettid, 0, 0, 0, 0, 0);

    /// <summary>Calls waitid(2) directly: the C library's wrapper omits the resource usage.</summary>
    public static int WaitId(int idType, int id, SignalInfo* info, int options, ResourceUsage* usage) =>
        FaultPoint.Fails("waitid") ? -1 : (int)syscall(SYS_waitid, idType, id, (nint)info, options, (nint)usage);

    /// <summary>Returns the number of bytes that a pipe holds; negative if it cannot be determined.</summary>
    public static int CountUnread(int descriptor)
    {
        int count;
        return ioctl(descriptor, FIONREAD, &count) < 0 ? -1 : count;
    }

    [LibraryImport(Library, EntryPoint = "sigaction", SetLastError = true)]
    public static partial int SetSignalAction(int signal, SignalAction* action, SignalAction* before);

    /// <summary>
    /// Changes the signals that the calling thread blocks. Both sets have <see cref="SignalSetSize"/> bytes. On Linux
    /// this is the same as pthread_sigmask, which glibc before 2.32 has in another library.
    /// </summary>
    [LibraryImport(Library, EntryPoint = "sigprocmask", SetLastError = true)]
    public static partial int SetSignalMask(int how, void* signalSet, void* before);

    /// <summary>
    /// Consumes a pending signal without calling its handler. Waits for it at most as long as a struct timespec
    /// specifies.
    /// </summary>
    [LibraryImport(Library, EntryPoint = "sigtimedwait", SetLastError = true)]
    public static partial int TakeSignal(void* signalSet, SignalInfo* information, void* limit);

    [LibraryImport(Library, SetLastError = true)]
    private static partial int ioctl(int descriptor, nuint request, void* argument);

    [LibraryImport(Library, SetLastError = true)]
    private static partial nint syscall(nint number, nint a, nint b, nint c, nint d, nint e);

    /// <summary>Represents the part of a 64-bit Linux siginfo_t that a child's exit fills in.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 128)]
    public struct SignalInfo
    {
        [FieldOffset(8)]
        public int si_code;

        [FieldOffset(16)]
        public int si_pid;

        [FieldOffset(24)]
        public int si_status;
    }

    /// <summary>Represents the part of a 64-bit Linux struct sigaction that this library uses.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 152)]
    public struct SignalAction
    {
        [FieldOffset(0)]
        public nint sa_handler;
    }

    /// <summary>
    /// Represents the part of struct pidfd_info (linux/pidfd.h), first version, that an exit fills in.
    /// </summary>
    [StructLayout(LayoutKind.Explicit, Size = 64)]
    public struct PidFdInfo
    {
        [FieldOffset(0)]
        public ulong mask;

        [FieldOffset(60)]
        public int exit_code;
    }

    /// <summary>Represents the part of a 64-bit Linux struct rusage that is reported.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 144)]
    public struct ResourceUsage
    {
        [FieldOffset(0)]
        public long ru_utime_sec;

        [FieldOffset(8)]
        public long ru_utime_usec;

        [FieldOffset(16)]
        public long ru_stime_sec;

        [FieldOffset(24)]
        public long ru_stime_usec;

        /// <summary>The largest resident set size, in KiB.</summary>
        [FieldOffset(32)]
        public long ru_maxrss;
    }
}
