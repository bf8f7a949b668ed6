using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Provides larger pipes, so that a child need not wait after each 64 KiB until this process has read them. A budget
/// limits them, because an unprivileged user has 64 MiB for all pipes together, and new pipes beyond that receive only
/// 8 KiB (pipe(7)). Thread-safe and lock-free.
/// </summary>
/// <remarks>
/// The budget belongs to the process and not to an engine, because the kernel counts the pipes of a user. Interlocked
/// operations guard it.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static class PipeSizeBudget
{
    /// <summary>The default size of a pipe in bytes, with memory pages of 4 KiB.</summary>
    public const int DefaultSize = 64 * 1024;

    /// <summary>The largest size of a pipe in bytes that the default of /proc/sys/fs/pipe-max-size allows.</summary>
    public const int Largest = 1024 * 1024;

    /// <summary>The budget of all large pipes of this process together, in bytes: half of the user's share.</summary>
    public const int Budget = 32 * 1024 * 1024;

    private const int Large = 256 * 1024;
    private const int FullReadsBeforeLargest = 16;

    private static int s_taken;

    /// <summary>Returns the size for a pipe that was full the given number of times, which is at least 1.</summary>
    public static int SizeAfter(int fullReads) => fullReads < FullReadsBeforeLargest ? Large : Largest;

    /// <summary>Enlarges a pipe if the budget allows.</summary>
    /// <param name="pipe">The number of either end.</param>
    /// <param name="from">The part of the budget that the pipe holds so far, in bytes.</param>
    /// <param name="to">
    /// The part of the budget in bytes that the pipe holds if the result is true, until it is returned.
    /// </param>
    public static bool TryGrow(int pipe, int from, int to)
    {
        if (Interlocked.Add(ref s_taken, to - from) > Budget)
        {
            Return(to - from);
            return false;
        }

        // The pipe may have that size already: the child can change it as well, and the kernel starts with sixteen
        // memory pages of any size. If other processes of the user have used up the share, the pipe keeps its size. The
        // pipe counts against the budget nevertheless, so that the kernel is not asked again and again.
        if (LibC.Fcntl(pipe, LibC.F_GETPIPE_SZ, 0) < to)
        {
            _ = LibC.Fcntl(pipe, LibC.F_SETPIPE_SZ, to);
        }

        return true;
    }

    /// <summary>Returns the part of the budget that a closed pipe held.</summary>
    public static void Return(int taken)
    {
        if (taken > 0)
        {
            Interlocked.Add(ref s_taken, -taken);
        }
    }
}
