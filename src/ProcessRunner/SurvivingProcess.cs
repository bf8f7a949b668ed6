namespace ProcessRunner;

/// <summary>Represents a process that a child left behind.</summary>
/// <param name="ProcessId">The process id at the time of the look.</param>
/// <param name="CommandLine">
/// The program and its arguments, separated by spaces; the name in brackets if there is no command line.
/// </param>
public sealed record SurvivingProcess(int ProcessId, string CommandLine);
