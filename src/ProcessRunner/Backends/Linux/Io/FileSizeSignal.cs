using System;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Provides the mask for a write to a file, which may be a memory file as well. A write beyond RLIMIT_FSIZE sends the
/// writing thread SIGXFSZ, which would end this process (setrlimit(2)). The signal is blocked during the write and then
/// consumed, so that only EFBIG remains. Ignoring it for the whole process would affect the user's code and would be
/// inherited by children. Stateless and thread-safe.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class FileSizeSignal
{
    /// <summary>The size of a signal mask.</summary>
    public const int MaskWords = LibC.SignalSetSize / sizeof(ulong);

    /// <summary>Blocks the signal for the calling thread.</summary>
    /// <param name="before">Receives the mask to restore, of <see cref="MaskWords"/>.</param>
    public static void Block(ulong* before)
    {
        ulong* blocked = stackalloc ulong[MaskWords];
        Fill(blocked);
        _ = LibC.SetSignalMask(LibC.SIG_BLOCK, blocked, before);
    }

    /// <summary>Consumes the signal if the write has sent it, and restores the mask.</summary>
    /// <param name="before">The mask from <see cref="Block"/>.</param>
    /// <param name="error">The error number of the write, or zero.</param>
    public static void Restore(ulong* before, int error)
    {
        if (error == Errno.EFBIG)
        {
            ulong* blocked = stackalloc ulong[MaskWords];
            Fill(blocked);
            long* atOnce = stackalloc long[] { 0, 0 };
            _ = LibC.TakeSignal(blocked, null, atOnce);
        }

        _ = LibC.SetSignalMask(LibC.SIG_SETMASK, before, null);
    }

    private static void Fill(ulong* blocked)
    {
        new Span<ulong>(blocked, MaskWords).Clear();
        blocked[0] = 1UL << (LibC.SIGXFSZ - 1);
    }
}
