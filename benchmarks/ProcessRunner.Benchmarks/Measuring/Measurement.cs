using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>
/// Named numbers, as lines of key=value: that is how a contender tells them to the race, in C# as in C.
/// </summary>
internal sealed class Measurement
{
    private readonly SortedDictionary<string, double> _values = new(StringComparer.Ordinal);

    /// <summary>A number by its key; null if it was not measured. Setting null leaves it out.</summary>
    public double? this[string key]
    {
        get => _values.TryGetValue(key, out double value) ? value : null;
        set
        {
            if (value is double number)
            {
                _values[key] = number;
            }
        }
    }

    /// <summary>Reads what was written; lines of another form are none of ours.</summary>
    public static Measurement Parse(IEnumerable<string> lines)
    {
        Measurement measurement = new();
        foreach (string line in lines)
        {
            if (line.Split('=') is [string key, string text]
                && double.TryParse(text, CultureInfo.InvariantCulture, out double value))
            {
                measurement[key] = value;
            }
        }

        return measurement;
    }

    public void Write(TextWriter writer)
    {
        foreach ((string key, double value) in _values)
        {
            writer.WriteLine(FormattableString.Invariant($"{key}={value:R}"));
        }
    }
}
