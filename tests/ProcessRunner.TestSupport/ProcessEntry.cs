namespace ProcessRunner.TestSupport;

/// <summary>Represents a line of the process table; see proc_pid_stat(5).</summary>
public sealed record ProcessEntry(int Id, string Name, char State, int ParentId, int GroupId, int SessionId);
