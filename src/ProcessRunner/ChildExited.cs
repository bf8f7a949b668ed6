using System.Diagnostics;

namespace ProcessRunner;

/// <summary>Represents the end of a child: always the last event, after all lines. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class ChildExited : ChildEvent
{
    internal ChildExited(ProcessResult result) => Result = result;

    /// <summary>Gets the result of the run.</summary>
    public ProcessResult Result { get; }

    /// <summary>Returns the command and its outcome.</summary>
    public override string ToString() => Result.ToString();
}
