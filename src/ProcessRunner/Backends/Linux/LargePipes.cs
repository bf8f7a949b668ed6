using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Makes pipes larger, so that a child need not stop after each 64 KiB until we have read them; but no more than a budget
/// allows, since an unprivileged user has 64 MiB for all pipes together, and new ones have only 8 KiB beyond that
/// (pipe(7)). Safe from any thread, without a lock.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class LargePipes
{
    /// <summary>The size of a pipe in bytes that nobody has changed, where memory pages have 4 KiB.</summary>
    public const int DefaultSize = 64 * 1024;

    /// <summary>The size to which /proc/sys/fs/pipe-max-size by default allows a pipe to grow.</summary>
    public const int Largest = 1024 * 1024;

    /// <summary>What all large pipes of this process may have together, in bytes: half of the user's share.</summary>
    public const int Budget = 32 * 1024 * 1024;

    private const int Large = 256 * 1024;
    private const int FullReadsBeforeLargest = 16;

    private static int s_taken;

    /// <summary>The size for a pipe that was full so many times, at least once.</summary>
    public static int SizeAfter(int fullReads) => fullReads < FullReadsBeforeLargest ? Large : Largest;

    /// <summary>Makes a pipe larger, if the budget allows.</summary>
    /// <param name="pipe">The number of an end.</param>
    /// <param name="from">What it has taken of the budget so far, in bytes.</param>
    /// <param name="to">What it takes if the result is true, until it is returned.</param>
    public static bool TryGrow(int pipe, int from, int to)
    {
        if (Interlocked.Add(ref s_taken, to - from) > Budget)
        {
            Return(to - from);
            return false;
        }

        // It may have that size already: the child can change it as well, and the kernel begins with sixteen memory pages,
        // whatever their size. Where others of the user have used up the share it stays as it is. It counts nevertheless, so
        // that the kernel is not asked again and again.
        if (LibC.Fcntl(pipe, LibC.F_GETPIPE_SZ, 0) < to)
        {
            _ = LibC.Fcntl(pipe, LibC.F_SETPIPE_SZ, to);
        }

        return true;
    }

    /// <summary>Gives back what a pipe has taken that is closed now.</summary>
    public static void Return(int taken)
    {
        if (taken > 0)
        {
            Interlocked.Add(ref s_taken, -taken);
        }
    }
}
