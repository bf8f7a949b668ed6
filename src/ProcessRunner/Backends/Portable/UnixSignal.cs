using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Portable;

/// <summary>Sends signals on the systems other than Windows.</summary>
internal static partial class UnixSignal
{
    /// <summary>The signal that ends a process at once.</summary>
    public const int SIGKILL = 9;

    /// <summary>The exit code to which .NET adds the number of the signal that has ended a process.</summary>
    public const int FirstExitCode = 128;

    /// <summary>Sends a signal to a process.</summary>
    /// <returns>False if there is no such process, or this process may not signal it.</returns>
    [UnsupportedOSPlatform("windows")]
    public static bool Send(int processId, int signal) => Kill(processId, signal) == 0;

    /// <summary>
    /// Returns the number of a signal on this system (signal(7)). macOS and FreeBSD number four of them differently.
    /// </summary>
    [UnsupportedOSPlatform("windows")]
    public static int Number(PosixSignal signal)
    {
        bool isLinux = OperatingSystem.IsLinux();
        return signal switch
        {
            PosixSignal.SIGHUP => 1,
            PosixSignal.SIGINT => 2,
            PosixSignal.SIGQUIT => 3,
            PosixSignal.SIGTERM => 15,
            PosixSignal.SIGCHLD => isLinux ? 17 : 20,
            PosixSignal.SIGCONT => isLinux ? 18 : 19,
            PosixSignal.SIGTSTP => isLinux ? 20 : 18,
            PosixSignal.SIGTTIN => 21,
            PosixSignal.SIGTTOU => 22,
            PosixSignal.SIGWINCH => 28,
            _ => (int)signal,
        };
    }

    /// <summary>Returns the name of a signal that ends processes, or its number as it is.</summary>
    public static PosixSignal Name(int signal) => signal switch
    {
        1 => PosixSignal.SIGHUP,
        2 => PosixSignal.SIGINT,
        3 => PosixSignal.SIGQUIT,
        15 => PosixSignal.SIGTERM,
        _ => (PosixSignal)signal,
    };

    // A thread-safe system call without structures, which is the same on every Unix (kill(2)).
    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int processId, int signal);
}
