using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux.Processes;

/// <summary>Represents a process in the list of /proc.</summary>
/// <param name="ProcessId">The process id.</param>
/// <param name="Node">
/// The inode number of its directory. The kernel keeps it as long as it remembers the directory, and never gives it to
/// another process, so an equal number stands for the same process. 0 if it is unknown.
/// </param>
[SupportedOSPlatform("linux")]
internal readonly record struct ProcessEntry(int ProcessId, ulong Node);
