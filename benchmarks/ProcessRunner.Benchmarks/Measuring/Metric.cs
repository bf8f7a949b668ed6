using System;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>A figure of a race.</summary>
/// <param name="Title">The head of its column, with the unit.</param>
/// <param name="Value">How it follows from what was measured; null where it was not.</param>
/// <param name="Decimals">The digits behind the point.</param>
internal sealed record Metric(string Title, Func<Measurement, double?> Value, int Decimals)
{
    /// <summary>Whether more of it is better, as with a rate.</summary>
    public bool IsRate { get; init; }

    public string Format(double? value) =>
        value is double number
            ? number.ToString(FormattableString.Invariant($"N{Decimals}"), System.Globalization.CultureInfo.InvariantCulture)
            : "–";
}
