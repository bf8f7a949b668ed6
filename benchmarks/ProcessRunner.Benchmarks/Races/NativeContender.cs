using System;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>A contender that is a program of its own.</summary>
/// <param name="Key">What the command line calls it.</param>
/// <param name="Name">What the tables call it.</param>
/// <param name="Kind">What it is in the race for.</param>
/// <param name="Create">The program, or null if this machine has none.</param>
internal sealed record NativeContender(
    string Key, string Name, ContenderKind Kind, Func<RaceSettings, ProcessCommand?> Create) : Contender(Key, Name, Kind)
{
    public override ProcessCommand? Command(Race race, RaceSettings settings) => Create(settings);
}
