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

    public string? ArgumentFile { get; init; }

    public bool IsNullSeparated { get; init; }

    public bool SkipsEmpty { get; init; }

    public bool IsShell { get; init; }

    public int Jobs { get; init; } = Environment.ProcessorCount;

    public TimeSpan? Timeout { get; init; }

    public int Retries { get; init; }

    public TimeSpan RetryDelay { get; init; }

    public HaltPolicy Halt { get; init; } = HaltPolicy.Never;

    public bool IsUnordered { get; init; }

    public bool IsTagged { get; init; }

    public bool IsDryRun { get; init; }

    public string? JobLog { get; init; }

    public long MinAvailableMemory { get; init; }

    public bool UsesJobserver { get; init; }

    public bool ShowsProgress { get; init; } = true;
}
