using System;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents a contender that is a separate program.</summary>
/// <param name="Key">The name on the command line.</param>
/// <param name="Name">The name in the tables.</param>
/// <param name="Kind">The role of the contender in the race.</param>
/// <param name="Create">Creates the command, or returns null if this machine lacks the program.</param>
internal sealed record NativeContender(
    string Key, string Name, ContenderKind Kind, Func<RaceSettings, ProcessCommand?> Create)
    : Contender(Key, Name, Kind)
{
    public override ProcessCommand? Command(Race race, RaceSettings settings) => Create(settings);
}
