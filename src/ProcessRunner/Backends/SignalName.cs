using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>Names signals as signal(7) does.</summary>
internal static class SignalName
{
    private const int SIGCHLD = 17;
    private const int SIGCONT = 18;
    private const int SIGTSTP = 20;
    private const int SIGTTIN = 21;
    private const int SIGTTOU = 22;
    private const int SIGWINCH = 28;

    // At the index of their numbers.
    private static readonly string?[] s_names = OperatingSystem.IsLinux()
        ?
        [
            null, "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL",
            "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT",
            "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
            "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS",
        ]
        :
        [
            // The others differ from system to system.
            null, "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", null, "SIGFPE", "SIGKILL",
            null, "SIGSEGV", null, "SIGPIPE", "SIGALRM", "SIGTERM",
        ];

    /// <summary>Returns the number of a signal, with the numbers of Linux for those that differ.</summary>
    /// <remarks>The names of signals that Windows lacks are numbers here: it has no such names.</remarks>
    public static int NumberOf(PosixSignal signal) => (int)signal switch
    {
        (int)PosixSignal.SIGHUP => 1,
        (int)PosixSignal.SIGINT => 2,
        (int)PosixSignal.SIGQUIT => 3,
        (int)PosixSignal.SIGTERM => 15,
        -5 => SIGCHLD,
        -6 => SIGCONT,
        -7 => SIGWINCH,
        -8 => SIGTTIN,
        -9 => SIGTTOU,
        -10 => SIGTSTP,
        int number => number,
    };

    /// <summary>Returns whether a signal ends a program that does not handle it.</summary>
    public static bool Ends(PosixSignal signal) => NumberOf(signal) is not
        (SIGCHLD or SIGCONT or SIGWINCH or SIGTTIN or SIGTTOU or SIGTSTP);

    /// <summary>Returns the number, and the name if the signal has one: <c>9 (SIGKILL)</c>.</summary>
    public static string Of(int number) =>
        number < s_names.Length && s_names[number] is string name ? $"{number} ({name})" : $"{number}";
}
