using System;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Holds the settings of an item that few items have, so that the others pay nothing for them. Immutable.
/// </summary>
internal sealed record BatchItemExtras
{
    /// <summary>Gets the settings of an item that has none of them.</summary>
    public static BatchItemExtras None { get; } = new();

    /// <summary>Gets the weight of the command.</summary>
    public int Slots { get; init; } = 1;

    /// <summary>Gets the group of the command, or null.</summary>
    public string? Group { get; init; }

    /// <summary>Gets how often and when the command is repeated, or null for the retry of the batch.</summary>
    public BatchRetry? Retry { get; init; }

    /// <summary>Gets how long the command is expected to run; zero for unknown.</summary>
    public TimeSpan ExpectedRunTime { get; init; }
}
