using System.Diagnostics;

namespace ProcessRunner;

/// <summary>Represents a process that a child left behind. Immutable.</summary>
/// <param name="ProcessId">The process id at the time of the look.</param>
/// <param name="CommandLine">
/// On Linux the program and its arguments, separated by spaces; the name in brackets if there is no command line. On
/// Windows the path of the program, which may be empty.
/// </param>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record SurvivingProcess(int ProcessId, string CommandLine)
{
    /// <summary>Returns the process id and the command line.</summary>
    public override string ToString() => $"{ProcessId}: {CommandLine}";
}
