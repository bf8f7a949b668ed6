using System;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>A figure that the library is to reach.</summary>
/// <param name="Text">What is compared with what.</param>
/// <param name="Limit">The figure to reach.</param>
/// <param name="Measure">The figure that was measured; null if one of its parts is missing.</param>
internal sealed record Goal(string Text, double Limit, Func<RaceResults, double?> Measure)
{
    /// <summary>Whether the figure is to be at least the limit, and not at most.</summary>
    public bool IsAtLeast { get; init; }

    public string Verdict(RaceResults results) => Measure(results) switch
    {
        null => "not measured",
        double value when IsAtLeast ? value >= Limit : value <= Limit => "reached",
        _ => "not reached",
    };
}
