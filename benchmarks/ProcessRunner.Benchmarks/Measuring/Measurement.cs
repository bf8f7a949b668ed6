using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Represents named numbers. A contender in C# or C writes them as lines of key=value for the race.</summary>
internal sealed class Measurement
{
    private readonly SortedDictionary<string, double> _values = new(StringComparer.Ordinal);

    /// <summary>Gets or sets a number by its key; null if it was not measured. Setting null has no effect.</summary>
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

    /// <summary>Parses the lines of a contender. Lines of another form are ignored.</summary>
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
