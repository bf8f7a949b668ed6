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

    // A thread-safe system call without structures, which is the same on every Unix (kill(2)).
    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int processId, int signal);
}
