using System;
using System.Diagnostics;

namespace ProcessRunner;

/// <summary>Represents a line that a child wrote. Immutable.</summary>
/// <param name="Content">The line without its line end.</param>
/// <param name="IsError">Whether the line came from standard error.</param>
/// <param name="Timestamp">
/// When the last part of the line was read from the child, in UTC. It may be up to 50 ms early: bytes that arrive
/// within that time share the time of the first. It does not tell the order of lines of two streams.
/// </param>
/// <param name="IsPartial">
/// Whether the line continues in the next one of its stream, because it exceeds <see cref="LineOptions.MaxLength"/> or
/// the stream was silent for <see cref="LineOptions.PromptDelay"/>.
/// </param>
[DebuggerDisplay("{IsError ? \"error: \" : \"\",nq}{Content,nq}{IsPartial ? \" (partial)\" : \"\",nq}")]
public readonly record struct OutputLine(
    string Content, bool IsError, DateTimeOffset Timestamp, bool IsPartial = false)
{
    /// <summary>Returns the content.</summary>
    public override string ToString() => Content ?? "";
}
