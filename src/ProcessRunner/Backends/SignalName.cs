using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>Names signals as signal(7) does.</summary>
internal static class SignalName
{
    // The index of SIGCHLD. The signals from there on end no program by default.
    private const int FirstHarmless = 5;

    // The systems that come from BSD number three of the signals differently. Windows, which has no numbers, gets those
    // of Linux.
    private static readonly bool s_isBsd = !OperatingSystem.IsLinux() && !OperatingSystem.IsWindows();

    // The numbers of SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD, SIGCONT, SIGWINCH, SIGTTIN, SIGTTOU and SIGTSTP, each
    // at the index that is the value of PosixSignal without its sign. Windows has no names for those from SIGCHLD on.
    private static readonly int[] s_numbers =
        s_isBsd ? [0, 1, 2, 3, 15, 20, 19, 28, 21, 22, 18] : [0, 1, 2, 3, 15, 17, 18, 28, 21, 22, 20];

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

    /// <summary>Returns the number of a signal on this system (signal(7)). A raw number stands for itself.</summary>
    public static int NumberOf(PosixSignal signal) =>
        (int)signal is < 0 and int value && value > -s_numbers.Length ? s_numbers[-value] : (int)signal;

    /// <summary>Returns .NET's name for a number, or else the raw number.</summary>
    public static PosixSignal Named(int number) =>
        Array.IndexOf(s_numbers, number) is > 0 and int index ? (PosixSignal)(-index) : (PosixSignal)number;

    /// <summary>Returns whether a signal ends a program that does not handle it.</summary>
    public static bool Ends(PosixSignal signal) => (int)Named(NumberOf(signal)) > -FirstHarmless;

    /// <summary>Returns the number, and the name if the signal has one: <c>9 (SIGKILL)</c>.</summary>
    public static string Of(int number) =>
        number < s_names.Length && s_names[number] is string name ? $"{number} ({name})" : $"{number}";
}
