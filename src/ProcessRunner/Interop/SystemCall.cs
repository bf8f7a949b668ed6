using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

/// <summary>
/// Represents a system call that is made later by code that can call no function: its number and its arguments, in the
/// form in which they are loaded into registers.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly unsafe struct SystemCall
{
    private const nint F_DUPFD = 0;
    private const nint CLOSE_RANGE_UNSHARE = 2;
    private const nint PRIO_PROCESS = 0;

    private readonly nint _number;
    private readonly nint _first;
    private readonly nint _second;
    private readonly nint _third;
    private readonly nint _fourth;

    private SystemCall(nint number, nint first = 0, nint second = 0, nint third = 0, nint fourth = 0)
    {
        _number = number;
        _first = first;
        _second = second;
        _third = third;
        _fourth = fourth;
    }

    private static nint EveryLater { get; } = unchecked((nint)uint.MaxValue);

    // The same on every 64-bit architecture.
    private static nint SYS_close_range => 436;

    private static PerArchitecture SYS_rt_sigaction { get; } = new(x64: 13, arm64: 134);

    private static PerArchitecture SYS_rt_sigprocmask { get; } = new(x64: 14, arm64: 135);

    private static PerArchitecture SYS_fcntl { get; } = new(x64: 72, arm64: 25);

    private static PerArchitecture SYS_clone { get; } = new(x64: 56, arm64: 220);

    private static PerArchitecture SYS_exit_group { get; } = new(x64: 231, arm64: 94);

    private static PerArchitecture SYS_prlimit64 { get; } = new(x64: 302, arm64: 261);

    private static PerArchitecture SYS_wait4 { get; } = new(x64: 61, arm64: 260);

    private static PerArchitecture SYS_execve { get; } = new(x64: 59, arm64: 221);

    private static PerArchitecture SYS_chdir { get; } = new(x64: 80, arm64: 49);

    private static PerArchitecture SYS_setpgid { get; } = new(x64: 109, arm64: 154);

    private static PerArchitecture SYS_setpriority { get; } = new(x64: 141, arm64: 140);

    private static PerArchitecture SYS_sched_setaffinity { get; } = new(x64: 203, arm64: 122);

    private static PerArchitecture SYS_umask { get; } = new(x64: 95, arm64: 166);

    private static PerArchitecture SYS_setgroups { get; } = new(x64: 116, arm64: 159);

    private static PerArchitecture SYS_setresgid { get; } = new(x64: 119, arm64: 149);

    private static PerArchitecture SYS_setresuid { get; } = new(x64: 117, arm64: 147);

    private static PerArchitecture SYS_setsid { get; } = new(x64: 112, arm64: 157);

    private static PerArchitecture SYS_openat { get; } = new(x64: 257, arm64: 56);

    private static PerArchitecture SYS_dup3 { get; } = new(x64: 292, arm64: 24);

    /// <summary>
    /// Gives the process a descriptor table of its own that ends before <paramref name="first"/>. The descriptors from
    /// there on are not even copied (close_range(2)).
    /// </summary>
    public static SystemCall UnshareDescriptorsBefore(int first) =>
        new(SYS_close_range, first, EveryLater, CLOSE_RANGE_UNSHARE);

    /// <summary>Frees a number, which may be free already.</summary>
    public static SystemCall Free(int descriptor) => Free(descriptor, descriptor);

    /// <summary>Frees a range of numbers, which may be free already.</summary>
    public static SystemCall Free(int first, int last) => new(SYS_close_range, first, last);

    /// <summary>Opens a file at the lowest free number.</summary>
    public static SystemCall Open(byte* path, int flags, uint mode) =>
        new(SYS_openat, LibC.AT_FDCWD, (nint)path, flags, (nint)mode);

    public static SystemCall CloseFrom(int first) => new(SYS_close_range, first, EveryLater);

    public static SystemCall Duplicate(int descriptor, int to) => new(SYS_dup3, descriptor, to);

    public static SystemCall LeadGroup() => new(SYS_setpgid);

    /// <summary>Joins an existing process group.</summary>
    public static SystemCall JoinGroup(int group) => new(SYS_setpgid, 0, group);

    public static SystemCall SetNice(int nice) => new(SYS_setpriority, PRIO_PROCESS, 0, nice);

    /// <summary>Sets the processors, as a mask of bits.</summary>
    public static SystemCall SetProcessors(byte* mask, int size) => new(SYS_sched_setaffinity, 0, size, (nint)mask);

    public static SystemCall SetFileModeMask(int mask) => new(SYS_umask, mask);

    public static SystemCall SetGroups(uint* groups, int count) => new(SYS_setgroups, count, (nint)groups);

    /// <summary>Sets the real, the effective and the saved id of the group.</summary>
    public static SystemCall SetGroupId(uint id) => new(SYS_setresgid, (nint)id, (nint)id, (nint)id);

    /// <summary>Sets the real, the effective and the saved id of the user.</summary>
    public static SystemCall SetUserId(uint id) => new(SYS_setresuid, (nint)id, (nint)id, (nint)id);

    public static SystemCall LeadSession() => new(SYS_setsid);

    public static SystemCall SetAction(int signal, KernelSignalAction* action) =>
        new(SYS_rt_sigaction, signal, (nint)action, 0, sizeof(ulong));

    public static SystemCall SetBlockedSignals(ulong* signals) =>
        new(SYS_rt_sigprocmask, LibC.SIG_SETMASK, (nint)signals, 0, sizeof(ulong));

    public static SystemCall ChangeDirectory(byte* path) => new(SYS_chdir, (nint)path);

    public static SystemCall Execute(byte* path, byte** arguments, byte** environment) =>
        new(SYS_execve, (nint)path, (nint)arguments, (nint)environment);

    /// <summary>Returns whether the call opens the file of the given path. Paths are compared by address.</summary>
    public bool Opens(byte* path) => _number == SYS_openat && _second == (nint)path;

    /// <summary>Gets whether the call changes the working directory.</summary>
    public bool ChangesDirectory => _number == SYS_chdir;

    /// <summary>Gets whether the call joins a process group.</summary>
    public bool JoinsGroup => _number == SYS_setpgid && _second != 0;

    /// <summary>Gets whether the call sets the nice value.</summary>
    public bool SetsNice => _number == SYS_setpriority;

    /// <summary>Gets whether the call sets the processors.</summary>
    public bool SetsProcessors => _number == SYS_sched_setaffinity;

    /// <summary>Gets whether the call sets a limit of a resource.</summary>
    public bool SetsLimit => _number == SYS_prlimit64;

    /// <summary>Gets whether the call changes the user or its groups.</summary>
    public bool ChangesIdentity =>
        _number == SYS_setgroups || _number == SYS_setresgid || _number == SYS_setresuid;

    /// <summary>Gets whether the call waits for a child.</summary>
    public bool AwaitsChild => _number == SYS_wait4;

    /// <summary>Gets whether the call executes the program.</summary>
    public bool Executes => _number == SYS_execve;

    /// <summary>Sets a resource limit of the process.</summary>
    public static SystemCall SetLimit(int resource, LibC.LimitPair* limit) =>
        new(SYS_prlimit64, 0, resource, (nint)limit);

    /// <summary>Copies a descriptor to the lowest free number from <paramref name="first"/> on.</summary>
    public static SystemCall DuplicateFrom(int descriptor, int first) => new(SYS_fcntl, descriptor, F_DUPFD, first);

    /// <summary>Fails if the number is free.</summary>
    public static SystemCall ExpectTaken(int descriptor) => new(SYS_fcntl, descriptor, LibC.F_GETFD);

    /// <summary>
    /// Creates a process that continues with the next call of the list. The caller continues there as well once that
    /// process is gone.
    /// </summary>
    public static SystemCall Clone(nint flags) => new(SYS_clone, flags);

    /// <summary>Waits for the end of a child; fails if there is none (ECHILD).</summary>
    public static SystemCall AwaitChild() => new(SYS_wait4, -1);

    /// <summary>Stores the set of blocked signals.</summary>
    public static SystemCall GetBlockedSignals(ulong* signals) =>
        new(SYS_rt_sigprocmask, LibC.SIG_BLOCK, 0, (nint)signals, sizeof(ulong));

    public static SystemCall Exit() => new(SYS_exit_group);

    /// <summary>
    /// Represents struct kernel_sigaction, which the system call itself takes, with one word of signals. Zero is the
    /// default action.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct KernelSignalAction
    {
        public nint Handler;
        public nuint Flags;
        public nint Restorer;
        public ulong Mask;
    }
}
