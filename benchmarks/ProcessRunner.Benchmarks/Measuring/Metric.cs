using System;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Represents a figure of a race.</summary>
/// <param name="Title">The column head, with the unit.</param>
/// <param name="Value">Computes the figure from a measurement; null if it was not measured.</param>
/// <param name="Decimals">The number of decimal digits.</param>
internal sealed record Metric(string Title, Func<Measurement, double?> Value, int Decimals)
{
    /// <summary>Gets whether more is better, as with a rate.</summary>
    public bool IsRate { get; init; }

    public string Format(double? value) =>
        value is double number
            ? number.ToString(
                FormattableString.Invariant($"N{Decimals}"), System.Globalization.CultureInfo.InvariantCulture)
            : "–";
}
