namespace ProcessRunner.Backends;

/// <summary>Represents a live process that descends from a child.</summary>
/// <param name="ProcessId">The process id at the time of the survey.</param>
/// <param name="CommandLine">The program and its arguments.</param>
/// <param name="IsInReach">Whether the child's own kill ends it, too (<see cref="BackendChild.Kill()"/>).</param>
internal readonly record struct Descendant(int ProcessId, string CommandLine, bool IsInReach);
