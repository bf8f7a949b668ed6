using System;
using System.Collections.Generic;

namespace Batch.CommandLine;

/// <summary>Represents the request of a command line.</summary>
internal sealed record Settings
{
    /// <summary>Gets the program and its arguments, including the placeholders.</summary>
    public required IReadOnlyList<string> Template { get; init; }

    /// <summary>Gets the items behind <c>:::</c>, or null if they come from elsewhere.</summary>
    public required IReadOnlyList<string>? Items { get; init; }

    public required string? ArgumentFile { get; init; }

    public required bool IsNullSeparated { get; init; }

    public required bool SkipsEmpty { get; init; }

    public required bool IsShell { get; init; }

    public required int Jobs { get; init; }

    public required TimeSpan? Timeout { get; init; }

    public required int Retries { get; init; }

    public required TimeSpan RetryDelay { get; init; }

    public required HaltPolicy Halt { get; init; }

    public required bool IsUnordered { get; init; }

    public required bool IsTagged { get; init; }

    public required bool IsDryRun { get; init; }

    public required string? JobLog { get; init; }

    public required long MinAvailableMemory { get; init; }

    public required bool UsesJobserver { get; init; }

    public required bool ShowsProgress { get; init; }
}
