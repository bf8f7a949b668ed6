using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>Provides the signal numbers of Linux, which are the same on x64 and arm64 (signal(7)).</summary>
[SupportedOSPlatform("linux")]
internal static class Signals
{
    /// <summary>Returns the number of a signal. A raw positive number stands for itself.</summary>
    public static int Number(PosixSignal signal) => signal switch
    {
        PosixSignal.SIGHUP => 1,
        PosixSignal.SIGINT => 2,
        PosixSignal.SIGQUIT => 3,
        PosixSignal.SIGTERM => 15,
        PosixSignal.SIGCHLD => 17,
        PosixSignal.SIGCONT => 18,
        PosixSignal.SIGTSTP => 20,
        PosixSignal.SIGTTIN => 21,
        PosixSignal.SIGTTOU => 22,
        PosixSignal.SIGWINCH => 28,
        > 0 => (int)signal,
        _ => throw new ArgumentOutOfRangeException(nameof(signal), signal, "No such signal."),
    };

    /// <summary>Returns .NET's name for a number, or else the raw number.</summary>
    public static PosixSignal Named(int number) => number switch
    {
        1 => PosixSignal.SIGHUP,
        2 => PosixSignal.SIGINT,
        3 => PosixSignal.SIGQUIT,
        15 => PosixSignal.SIGTERM,
        17 => PosixSignal.SIGCHLD,
        18 => PosixSignal.SIGCONT,
        20 => PosixSignal.SIGTSTP,
        21 => PosixSignal.SIGTTIN,
        22 => PosixSignal.SIGTTOU,
        28 => PosixSignal.SIGWINCH,
        _ => (PosixSignal)number,
    };

    /// <summary>
    /// Returns whether this process has a handler for a signal at the moment, so that the signal is neither ignored nor
    /// left to its default.
    /// </summary>
    public static unsafe bool IsHandled(int number)
    {
        LibC.SignalAction action;
        return LibC.SetSignalAction(number, null, &action) == 0
            && action.sa_handler is not (LibC.SIG_DFL or LibC.SIG_IGN);
    }
}
