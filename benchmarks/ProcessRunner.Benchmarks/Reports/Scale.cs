using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Maps values to positions between 0 and 1, and finds the round values among them.</summary>
internal sealed class Scale
{
    private static readonly int[] s_digits = [1, 2, 5];

    private readonly double _low;
    private readonly double _high;
    private readonly bool _isLogarithmic;

    private Scale(double low, double high, bool isLogarithmic, IReadOnlyList<double> ticks)
    {
        _low = low;
        _high = high;
        _isLogarithmic = isLogarithmic;
        Ticks = ticks;
    }

    public IReadOnlyList<double> Ticks { get; }

    public static Scale Of(LinePanel panel)
    {
        double[] values = [.. panel.Series.SelectMany(series => series.Values).OfType<double>()];
        return panel.IsLogarithmic && values.Any(value => value > 0)
            ? Logarithmic(values.Where(value => value > 0).ToArray())
            : Linear(values.DefaultIfEmpty(1).Max());
    }

    public double Place(double value)
    {
        double place = _isLogarithmic
            ? (Math.Log10(value) - Math.Log10(_low)) / (Math.Log10(_high) - Math.Log10(_low))
            : (value - _low) / (_high - _low);
        return Math.Clamp(place, 0, 1);
    }

    private static Scale Linear(double largest)
    {
        double step = Step(largest);
        int count = Math.Max(1, (int)Math.Ceiling(largest / step));
        return new Scale(
            0, step * count, isLogarithmic: false, [.. Enumerable.Range(0, count + 1).Select(i => i * step)]);
    }

    // Ticks are at 1, 2 and 5 of each power of ten, from the tick below all values to the tick above them.
    private static Scale Logarithmic(double[] values)
    {
        int first = (int)Math.Floor(Math.Log10(values.Min()));
        int last = (int)Math.Ceiling(Math.Log10(values.Max()));
        double[] candidates = [.. Enumerable.Range(first, last - first + 1)
            .SelectMany(power => s_digits.Select(digit => digit * Math.Pow(10, power)))];
        double low = candidates.Last(candidate => candidate <= values.Min());
        double high = candidates.First(candidate => candidate >= values.Max() && candidate > low);
        return new Scale(low, high, isLogarithmic: true, [.. candidates.Where(tick => tick >= low && tick <= high)]);
    }

    // The round step divides the whole into about five parts.
    private static double Step(double largest)
    {
        double raw = largest <= 0 ? 0.2 : largest / 5;
        double power = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        double digit = raw / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }
}
