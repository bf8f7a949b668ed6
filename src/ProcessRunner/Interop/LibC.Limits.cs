using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

internal static unsafe partial class LibC
{
    public const int RLIMIT_CPU = 0;
    public const int RLIMIT_FSIZE = 1;
    public const int RLIMIT_DATA = 2;
    public const int RLIMIT_STACK = 3;
    public const int RLIMIT_CORE = 4;
    public const int RLIMIT_NPROC = 6;
    public const int RLIMIT_NOFILE = 7;
    public const int RLIMIT_MEMLOCK = 8;
    public const int RLIMIT_AS = 9;

    /// <summary>The value for no limit.</summary>
    public const long RLIM_INFINITY = -1;

    [LibraryImport(Library, EntryPoint = "getrlimit", SetLastError = true)]
    public static partial int GetResourceLimit(int resource, LimitPair* limit);

    /// <summary>Returns the soft limit of this process; <see cref="long.MaxValue"/> if it has none.</summary>
    public static long SoftLimitOf(int resource)
    {
        LimitPair limit;
        bool isLimited = GetResourceLimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
        return isLimited ? limit.rlim_cur : long.MaxValue;
    }

    /// <summary>Calls prlimit(2) to read the limits of another process.</summary>
    [LibraryImport(Library, EntryPoint = "prlimit", SetLastError = true)]
    public static partial int GetResourceLimitOf(
        int processId, int resource, LimitPair* none, LimitPair* limit);

    [LibraryImport(Library, EntryPoint = "getppid")]
    public static partial int GetParentProcessId();

    [LibraryImport(Library, EntryPoint = "geteuid")]
    public static partial uint GetEffectiveUserId();

    /// <summary>Represents struct rlimit of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct LimitPair
    {
        public long rlim_cur;
        public long rlim_max;
    }
}
