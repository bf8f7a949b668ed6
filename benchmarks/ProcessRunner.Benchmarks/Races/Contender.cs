using System.Collections.Immutable;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>One of those that run a race, each time in a process of its own.</summary>
/// <param name="Key">What the command line calls it.</param>
/// <param name="Name">What the tables call it.</param>
/// <param name="Kind">What it is in the race for.</param>
internal abstract record Contender(string Key, string Name, ContenderKind Kind)
{
    /// <summary>The only points of a sweep that it runs at; empty for all.</summary>
    public ImmutableArray<int> OnlyAt { get; init; } = [];

    public bool RunsAt(int point) => OnlyAt.IsEmpty || OnlyAt.Contains(point);

    /// <summary>The process to start, which prints its measurement; null if it is missing on this machine.</summary>
    public abstract ProcessCommand? Command(Race race, RaceSettings settings);
}
