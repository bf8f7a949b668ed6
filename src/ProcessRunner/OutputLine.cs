using System;

namespace ProcessRunner;

/// <summary>One line that a child wrote.</summary>
/// <param name="Content">The line without its end.</param>
/// <param name="IsError">Whether it came from standard error.</param>
/// <param name="Timestamp">When its last part was read from the child, in universal time.</param>
/// <param name="IsPartial">Whether the line goes on in the next one, being longer than <see cref="LineOptions.MaxLength"/>.</param>
public readonly record struct OutputLine(string Content, bool IsError, DateTimeOffset Timestamp, bool IsPartial = false);
