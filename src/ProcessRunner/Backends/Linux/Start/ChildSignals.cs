using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides the system calls that set up a new child's signals before its program runs. All actions become the default,
/// and a child that leads a group discards the signals that arrived before it led that group. The child starts with all
/// signals blocked, so a signal sent to this process's group in the meantime is pending. Once unblocked it would end
/// the child, or stop it while its starter sleeps. Ignoring a signal discards it (sigaction(2), POSIX). A child that
/// stays in this process's group is an intended recipient and keeps what is pending. Immutable.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class ChildSignals
{
    private const int Last = 64;

    private static readonly SystemCall.KernelSignalAction* s_default = Action(LibC.SIG_DFL);
    private static readonly SystemCall.KernelSignalAction* s_ignore = Action(LibC.SIG_IGN);

    // The exec resets a handler, but an ignored signal stays ignored. Any signal may be ignored, and the kernel offers
    // no cheap way to find out which.
    private static readonly SystemCall[] s_reset =
    [
        .. Enumerable.Range(1, Last).Where(signal => signal is not (LibC.SIGKILL or LibC.SIGSTOP))
            .Select(signal => SystemCall.SetAction(signal, s_default)),
    ];

    // The signals that terminals and process groups receive: SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM,
    // SIGTSTP, SIGTTIN and SIGTTOU. SIGCONT and SIGWINCH are ignored by default, so resetting them discards them as
    // well.
    private static readonly SystemCall[] s_discardAndReset =
    [
        .. ((int[])[1, 2, 3, 10, 12, 15, 20, 21, 22]).Select(signal => SystemCall.SetAction(signal, s_ignore)),
        .. s_reset,
    ];

    /// <summary>Appends the calls of a child that stays in this process's group.</summary>
    /// <returns>The address for the next call.</returns>
    public static SystemCall* Reset(SystemCall* calls) => Append(calls, s_reset);

    /// <summary>Appends the calls of a child that already leads a group.</summary>
    /// <returns>The address for the next call.</returns>
    public static SystemCall* DiscardAndReset(SystemCall* calls) => Append(calls, s_discardAndReset);

    private static SystemCall* Append(SystemCall* calls, SystemCall[] more)
    {
        more.CopyTo(new Span<SystemCall>(calls, more.Length));
        return calls + more.Length;
    }

    // Never freed: every start uses it until the process ends.
    private static SystemCall.KernelSignalAction* Action(nint handler)
    {
        SystemCall.KernelSignalAction* action =
            (SystemCall.KernelSignalAction*)NativeMemory.AllocZeroed((nuint)sizeof(SystemCall.KernelSignalAction));
        action->Handler = handler;
        return action;
    }
}
