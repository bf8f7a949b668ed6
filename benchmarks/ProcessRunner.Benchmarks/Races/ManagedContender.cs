using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using ProcessRunner.Benchmarks.Commands;
using ProcessRunner.Benchmarks.Measuring;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents a contender in C#: this program, started again for each measurement.</summary>
/// <param name="Key">The name on the command line.</param>
/// <param name="Name">The name in the tables.</param>
/// <param name="Kind">The role of the contender in the race.</param>
/// <param name="Measure">The measurement, which runs in the new process.</param>
internal sealed record ManagedContender(
    string Key, string Name, ContenderKind Kind, Func<RaceSettings, Measurement> Measure) : Contender(Key, Name, Kind)
{
    /// <summary>Gets the environment variables that must be set before the process starts.</summary>
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
