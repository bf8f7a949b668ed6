using System;
using System.Globalization;
using System.Linq;

namespace PTest.CommandLine;

/// <summary>Reads the values of options.</summary>
internal static class Values
{
    private static readonly (string Unit, double Seconds)[] s_units =
        [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)];

    /// <summary>The longest time that can be given.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(500);

    /// <summary>Reads a time: 30, 1.5m, 200ms.</summary>
    /// <exception cref="FormatException">It is none, or too long.</exception>
    public static TimeSpan Duration(string text)
    {
        foreach ((string unit, double factor) in s_units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal) && Number(text[..^unit.Length]) is double number)
            {
                return Short(number * factor, text);
            }
        }

        return Number(text) is double seconds ? Short(seconds, text)
            : throw new FormatException($"'{text}' is not a time: 30, 1.5m, 200ms");
    }

    /// <summary>Reads a count, from a least value on.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static int Count(string text, int least = 0) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int count) && count >= least
            ? count
            : throw new FormatException($"'{text}' is not a number of at least {least}");

    /// <summary>Reads one of the names of an enum.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static T Choice<T>(string text)
        where T : struct, Enum =>
        Enum.GetNames<T>().Contains(text, StringComparer.OrdinalIgnoreCase) ? Enum.Parse<T>(text, ignoreCase: true)
            : throw new FormatException(
                $"'{text}' is none of: {string.Join(", ", Enum.GetNames<T>()).ToLowerInvariant()}");

    /// <summary>Reads whether a flaky test fails the run: pass or fail.</summary>
    /// <exception cref="FormatException">It is neither.</exception>
    public static bool FlakyFails(string text) => text switch
    {
        "fail" => true,
        "pass" => false,
        _ => throw new FormatException($"'{text}' is neither pass nor fail"),
    };

    private static TimeSpan Short(double seconds, string text) =>
        seconds <= s_longest.TotalSeconds ? TimeSpan.FromSeconds(seconds)
            : throw new FormatException($"'{text}' is longer than {s_longest.TotalHours}h. 0 is no limit");

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
            ? number
            : null;
}
