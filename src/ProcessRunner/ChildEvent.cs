using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Represents something that happened to a child (<see cref="ChildProcess.ReadEventsAsync"/>):
/// <see cref="ChildStarted"/>, <see cref="ChildWrote"/> or <see cref="ChildExited"/>. Immutable.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public abstract class ChildEvent
{
    private protected ChildEvent()
    {
    }
}
