using System.Diagnostics;

namespace ProcessRunner;

/// <summary>Represents the start of a child: always the first event. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class ChildStarted : ChildEvent
{
    internal ChildStarted(int processId) => ProcessId = processId;

    /// <summary>Gets the process id. Once the child has ended, another process may have the same id.</summary>
    public int ProcessId { get; }

    /// <summary>Returns the process id.</summary>
    public override string ToString() => $"started as {ProcessId}";
}
