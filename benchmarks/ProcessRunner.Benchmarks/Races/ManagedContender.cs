using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using ProcessRunner.Benchmarks.Commands;
using ProcessRunner.Benchmarks.Measuring;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>A contender in C#: this program, started once more for each measurement.</summary>
/// <param name="Key">What the command line calls it.</param>
/// <param name="Name">What the tables call it.</param>
/// <param name="Kind">What it is in the race for.</param>
/// <param name="Measure">What is done in the process of its own.</param>
internal sealed record ManagedContender(
    string Key, string Name, ContenderKind Kind, Func<RaceSettings, Measurement> Measure) : Contender(Key, Name, Kind)
{
    /// <summary>Environment variables that it needs from the start of its process on.</summary>
    public IReadOnlyDictionary<string, string?> Environment { get; init; } = ImmutableDictionary<string, string?>.Empty;

    public override ProcessCommand Command(Race race, RaceSettings settings)
    {
        string program = typeof(ManagedContender).Assembly.GetName().Name!;
        return new(Path.Combine(AppContext.BaseDirectory, program), ContendCommand.Arguments(race, this, settings))
        {
            Environment = Environment,
        };
    }
}
