using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// What a new child does about signals before its program runs: all actions become the default, and one that leads a group
/// discards what came before it had that group. It has all signals blocked, so what our group was sent until then is pending,
/// and would end it, or stop it with its starter asleep, as soon as it blocks none. To ignore a signal discards it
/// (sigaction(2), POSIX). A child that stays in our group is meant as well, and keeps what is pending. Immutable.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe class ChildSignals
{
    private const int Last = 64;

    private static readonly SystemCall.KernelSignalAction* s_default = Action(LibC.SIG_DFL);
    private static readonly SystemCall.KernelSignalAction* s_ignore = Action(LibC.SIG_IGN);

    // A handler would go at the exec, but a signal that is ignored stays so, and any may be: the kernel does not tell cheaply.
    private static readonly SystemCall[] s_reset =
    [
        .. Enumerable.Range(1, Last).Where(signal => signal is not (LibC.SIGKILL or LibC.SIGSTOP))
            .Select(signal => SystemCall.SetAction(signal, s_default)),
    ];

    // What terminals and groups are sent: SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGTSTP, SIGTTIN and SIGTTOU. The
    // default of others, SIGCONT and SIGWINCH, is to ignore them, which discards them as well.
    private static readonly SystemCall[] s_discardAndReset =
        [.. ((int[])[1, 2, 3, 10, 12, 15, 20, 21, 22]).Select(signal => SystemCall.SetAction(signal, s_ignore)), .. s_reset];

    /// <summary>Writes down the calls of a child that stays in our group.</summary>
    /// <returns>Where the next call goes.</returns>
    public static SystemCall* Reset(SystemCall* calls) => Append(calls, s_reset);

    /// <summary>Writes down the calls of a child that leads a group by now.</summary>
    /// <returns>Where the next call goes.</returns>
    public static SystemCall* DiscardAndReset(SystemCall* calls) => Append(calls, s_discardAndReset);

    private static SystemCall* Append(SystemCall* calls, SystemCall[] more)
    {
        more.CopyTo(new Span<SystemCall>(calls, more.Length));
        return calls + more.Length;
    }

    // Never freed: they serve every start until the process ends.
    private static SystemCall.KernelSignalAction* Action(nint handler)
    {
        SystemCall.KernelSignalAction* action =
            (SystemCall.KernelSignalAction*)NativeMemory.AllocZeroed((nuint)sizeof(SystemCall.KernelSignalAction));
        action->Handler = handler;
        return action;
    }
}
