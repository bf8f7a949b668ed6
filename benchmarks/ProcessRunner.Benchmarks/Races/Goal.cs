using System;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents a figure that the library is to reach.</summary>
/// <param name="Text">The description of the comparison.</param>
/// <param name="Limit">The figure to reach.</param>
/// <param name="Measure">Computes the measured figure; null if a part of it is missing.</param>
internal sealed record Goal(string Text, double Limit, Func<RaceResults, double?> Measure)
{
    /// <summary>Gets whether the limit is a minimum instead of a maximum.</summary>
    public bool IsAtLeast { get; init; }

    public string Verdict(RaceResults results)
    {
        if (Measure(results) is not double value)
        {
            return "not measured";
        }

        bool isReached = IsAtLeast ? value >= Limit : value <= Limit;
        return isReached ? "reached" : "not reached";
    }
}
