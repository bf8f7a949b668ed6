namespace ProcessRunner;

/// <summary>Names a process that a child left behind.</summary>
/// <param name="ProcessId">Its process id at the time of the look.</param>
/// <param name="CommandLine">Its program and arguments, separated by spaces; in brackets its name if it has none.</param>
public sealed record SurvivingProcess(int ProcessId, string CommandLine);
