using System;
using ProcessRunner;

namespace PTest.Running;

/// <summary>Determines what the library's backend cannot do on this system, and makes up for it.</summary>
internal static class BackendLimits
{
    // Process.ExitCode of a process that signal N ended on Unix is 128 + N.
    private const int SignalCodes = 128;
    private const int HighestSignal = 31;

    /// <summary>Gets whether processes that a test has left behind are found and killed.</summary>
    public static bool FindsDescendants => ProcessEngine.Shared.Backend != EngineBackend.Portable;

    /// <summary>Gets the number of the signal that ended a process, or null.</summary>
    /// <remarks>The portable backend gives it as an exit code, which the process may have chosen itself.</remarks>
    public static int? SignalOf(ProcessResult process) =>
        process.Outcome == ProcessOutcome.Signaled ? process.SignalNumber ?? 0
        : !FindsDescendants && !OperatingSystem.IsWindows()
            && process.ExitCode is > SignalCodes and <= SignalCodes + HighestSignal and int code ? code - SignalCodes
        : null;
}
