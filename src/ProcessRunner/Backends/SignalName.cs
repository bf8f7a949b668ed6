using System;

namespace ProcessRunner.Backends;

/// <summary>Names signals as signal(7) does.</summary>
internal static class SignalName
{
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

    /// <summary>Returns the number, and the name if the signal has one: <c>9 (SIGKILL)</c>.</summary>
    public static string Of(int number) =>
        number < s_names.Length && s_names[number] is string name ? $"{number} ({name})" : $"{number}";
}
