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
