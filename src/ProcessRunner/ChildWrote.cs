using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Represents a line of a child, or the beginning of one (<see cref="LineOptions.PromptDelay"/>).
/// Immutable.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class ChildWrote : ChildEvent
{
    internal ChildWrote(OutputLine line) => Line = line;

    /// <summary>Gets the line, which says from which stream it came.</summary>
    public OutputLine Line { get; }

    /// <summary>Returns the content of the line.</summary>
    public override string ToString() => Line.Content;
}
