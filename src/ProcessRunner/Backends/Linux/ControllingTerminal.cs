using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Whether this process has a controlling terminal (credentials(7)), and which group a child belongs in therefore. Any thread.
/// </summary>
/// <remarks>
/// The kernel tells by <c>/dev/tty</c> alone, at 2 to 5 microseconds, so that its answer holds for a moment. A terminal that
/// goes away in that moment does no harm: a session of its own lacks nothing that a group of its own has. One that comes has
/// been opened by this process itself, which leads its session then.
/// </remarks>
[SupportedOSPlatform("linux")]
internal static class ControllingTerminal
{
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(100);

    private static bool s_isThere;
    private static long s_lookAt = long.MinValue;

    /// <summary>What a command's <see cref="ProcessGroupMode"/> comes to now: one of the others than Auto.</summary>
    public static ProcessGroupMode GroupModeOf(ProcessCommand command) => command.GroupMode switch
    {
        ProcessGroupMode.Auto when command.StandardInput.Binding.Kind == StreamBindingKind.Inherit => ProcessGroupMode.Inherit,
        ProcessGroupMode.Auto => IsThere() ? ProcessGroupMode.Session : ProcessGroupMode.Own,
        ProcessGroupMode mode => mode,
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

        // Where nothing could be seen, for want of a descriptor say, a session is right in either case.
        Volatile.Write(ref s_isThere, descriptor >= 0 || Marshal.GetLastPInvokeError() is not (Errno.ENXIO or Errno.ENOENT));
    }
}
