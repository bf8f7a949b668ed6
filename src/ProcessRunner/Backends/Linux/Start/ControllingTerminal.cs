using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the controlling terminal of this process (credentials(7)), if there is one, which determines the group
/// that a child belongs in. Thread-safe.
/// </summary>
/// <remarks>
/// Only <c>/dev/tty</c> answers the question, at 2 to 5 microseconds a look, so the answer is cached for a moment. A
/// terminal that disappears in that moment does no harm: a session offers all that a process group of its own does. A
/// terminal that appears was opened by this process itself, which then leads its session. The answer belongs to the
/// process, as the terminal does. Volatile accesses guard it; threads that look at the same time may both ask.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static class ControllingTerminal
{
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(100);

    private static bool s_isThere;
    private static long s_lookAt = long.MinValue;

    /// <summary>Resolves the group of a plan to a value other than <see cref="LaunchGroup.Auto"/>.</summary>
    public static LaunchGroup GroupOf(ILaunchPlan plan) => plan.Group switch
    {
        _ when plan.Settings is { ProcessGroupId: not null } => LaunchGroup.Joined,
        LaunchGroup.Auto when plan.Input.Kind == StreamBindingKind.Inherit => LaunchGroup.Inherit,
        LaunchGroup.Auto => IsThere() ? LaunchGroup.Session : LaunchGroup.Own,
        LaunchGroup group => group,
    };

    private static bool IsThere()
    {
        long now = MonotonicClock.Now;
        if (now >= Volatile.Read(ref s_lookAt))
        {
            Look();
            Volatile.Write(ref s_lookAt, MonotonicClock.After(now, s_moment));
        }

        return Volatile.Read(ref s_isThere);
    }

    private static void Look()
    {
        int descriptor = LibC.Open("/dev/tty", LibC.O_RDONLY | LibC.O_NOCTTY | LibC.O_NONBLOCK | LibC.O_CLOEXEC, 0);
        if (descriptor >= 0)
        {
            _ = LibC.Close(descriptor);
        }

        // If the look fails, because no descriptor is free for example, a session is right in either case.
        Volatile.Write(
            ref s_isThere,
            descriptor >= 0 || Marshal.GetLastPInvokeError() is not (Errno.ENXIO or Errno.ENOENT));
    }
}
