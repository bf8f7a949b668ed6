using System.Collections.Immutable;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents a contender of a race. Each measurement runs in a new process.</summary>
/// <param name="Key">The name on the command line.</param>
/// <param name="Name">The name in the tables.</param>
/// <param name="Kind">The role of the contender in the race.</param>
internal abstract record Contender(string Key, string Name, ContenderKind Kind)
{
    /// <summary>Gets the only points of a sweep that the contender runs at; empty for all.</summary>
    public ImmutableArray<int> OnlyAt { get; init; } = [];

    public bool RunsAt(int point) => OnlyAt.IsEmpty || OnlyAt.Contains(point);

    /// <summary>
    /// Gets the process that prints the contender's measurement; null if it is missing on this machine.
    /// </summary>
    public abstract ProcessCommand? Command(Race race, RaceSettings settings);
}
