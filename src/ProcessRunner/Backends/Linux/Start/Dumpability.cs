using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Keeps this process dumpable. A child that becomes another user makes the memory that it shares with its starter
/// undumpable (prctl(2)), so that no process of that user can look into it. After its exec nobody of that user sees
/// this memory any longer, and the state is restored: without it this process could neither be debugged nor leave a
/// dump.
/// </summary>
/// <remarks>
/// <c>s_gate</c> guards the state. A start that hangs delays the restoration, and holds up no other start.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static class Dumpability
{
    private static readonly object s_gate = new();
    private static int s_starts;
    private static int s_before;

    /// <summary>Notes that a start begins whose child becomes another user.</summary>
    public static void Begin()
    {
        using (Uninterruptible.Lock(s_gate))
        {
            if (s_starts++ == 0)
            {
                s_before = LibC.Dumpable(LibC.PR_GET_DUMPABLE, 0, 0, 0, 0);
            }
        }
    }

    /// <summary>Restores the state after the last of such starts.</summary>
    public static void End()
    {
        using (Uninterruptible.Lock(s_gate))
        {
            // The value 2 (only root may read a dump) cannot be set.
            if (--s_starts == 0 && s_before == 1)
            {
                _ = LibC.Dumpable(LibC.PR_SET_DUMPABLE, 1, 0, 0, 0);
            }
        }
    }
}
