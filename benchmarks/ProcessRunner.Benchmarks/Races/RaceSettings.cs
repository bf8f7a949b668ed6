using System;
using System.Collections.Immutable;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>How large a race is.</summary>
internal sealed record RaceSettings
{
    /// <summary>How many children each contender runs or, where others idle, how many of them are measured.</summary>
    public required int Children { get; init; }

    /// <summary>How many run at the same time.</summary>
    public int Concurrency { get; init; } = 1;

    /// <summary>How often every contender runs.</summary>
    public int Runs { get; init; } = 5;

    /// <summary>How much a child writes to each stream.</summary>
    public long Bytes { get; init; }

    /// <summary>What is swept over: degrees, children alive. One point for a race that sweeps over nothing.</summary>
    public ImmutableArray<int> Points { get; init; } = [0];

    /// <summary>The point of one contender's process.</summary>
    public int Point { get; init; }

    /// <summary>After which time a contender is given up.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(3);
}
