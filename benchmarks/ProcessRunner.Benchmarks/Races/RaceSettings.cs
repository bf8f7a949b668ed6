using System;
using System.Collections.Immutable;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents the size of a race.</summary>
internal sealed record RaceSettings
{
    /// <summary>
    /// Gets the number of children that each contender runs or, if others idle, the number of measured children.
    /// </summary>
    public required int Children { get; init; }

    /// <summary>Gets the number of children that run at the same time.</summary>
    public int Concurrency { get; init; } = 1;

    /// <summary>Gets the number of runs of every contender.</summary>
    public int Runs { get; init; } = 5;

    /// <summary>Gets the number of bytes that a child writes to each stream.</summary>
    public long Bytes { get; init; }

    /// <summary>
    /// Gets the points of the sweep, such as degrees of parallelism or live children. A race without a sweep has one
    /// point.
    /// </summary>
    public ImmutableArray<int> Points { get; init; } = [0];

    /// <summary>Gets the point that one contender's process measures.</summary>
    public int Point { get; init; }

    /// <summary>Gets the time after which a contender is abandoned.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(3);
}
