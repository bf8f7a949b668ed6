using System;
using ProcessRunner;

namespace PTest.Running;

/// <summary>Determines how the library runs processes on this system.</summary>
internal static class Surroundings
{
    // A shell's notation of a signal, which Process.ExitCode has on Unix.
    private const int FirstSignalCode = 129;
    private const int LastSignalCode = 159;

    /// <summary>Gets whether processes that a test has left behind are found and killed.</summary>
    public static bool FindsDescendants => ProcessEngine.Shared.Backend != EngineBackend.Portable;

    /// <summary>Gets the number of the signal that ended a process, or null.</summary>
    /// <remarks>The portable backend gives it as an exit code, which the process may have chosen itself.</remarks>
    public static int? SignalOf(ProcessResult process) =>
        process.Outcome == ProcessOutcome.Signaled ? process.SignalNumber ?? 0
        : !FindsDescendants && !OperatingSystem.IsWindows()
            && process.ExitCode is >= FirstSignalCode and <= LastSignalCode and int code
            ? code - FirstSignalCode + 1
        : null;
}
