namespace ProcessRunner.Backends;

/// <summary>A live process that descends from a child.</summary>
/// <param name="ProcessId">Its process id at the time of the survey.</param>
/// <param name="CommandLine">Its program and arguments.</param>
/// <param name="IsInGroup">True if a signal to the child's process group reaches it.</param>
internal readonly record struct Descendant(int ProcessId, string CommandLine, bool IsInGroup);
