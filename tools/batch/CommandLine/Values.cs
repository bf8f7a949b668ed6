using System;
using System.Globalization;

namespace Batch.CommandLine;

/// <summary>
/// Parses the values of options. The message of each error continues a sentence that begins with the option's name.
/// </summary>
internal static class Values
{
    private static readonly (string Suffix, double Seconds)[] s_units =
        [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400), ("", 1)];

    private static readonly (char Suffix, double Bytes)[] s_sizes =
    [
        ('K', 1L << 10), ('M', 1L << 20), ('G', 1L << 30), ('T', 1L << 40),
        ('k', 1e3), ('m', 1e6), ('g', 1e9), ('t', 1e12),
    ];

    /// <summary>Parses <c>30</c>, <c>1.5m</c> or <c>200ms</c>.</summary>
    /// <exception cref="FormatException">The text is not a duration.</exception>
    public static TimeSpan Duration(string text)
    {
        foreach ((string suffix, double seconds) in s_units)
        {
            if (text.EndsWith(suffix, StringComparison.Ordinal) && Number(text[..^suffix.Length]) is double number)
            {
                double total = number * seconds;
                return total <= TimeSpan.FromDays(20).TotalSeconds
                    ? TimeSpan.FromSeconds(total)
                    : throw new FormatException($"'{text}' is too long; give at most 20d.");
            }
        }

        throw new FormatException(
            $"'{text}' is not a duration; give seconds, or a number with ms, s, m, h or d, such as 30, 1.5m or 200ms.");
    }

    /// <summary>Parses a duration that is not zero.</summary>
    /// <exception cref="FormatException">The text is not a duration, or the duration is zero.</exception>
    public static TimeSpan Limit(string text) => Duration(text) is { Ticks: > 0 } limit
        ? limit
        : throw new FormatException($"'{text}' leaves a job no time; give more than 0.");

    /// <summary>
    /// Parses <c>500M</c>. Capital letters are powers of 1024, small letters powers of 1000, as in GNU parallel.
    /// </summary>
    /// <exception cref="FormatException">The text is not a size.</exception>
    public static long Size(string text)
    {
        double factor = 1;
        string digits = text;
        foreach ((char suffix, double bytes) in s_sizes)
        {
            if (text.EndsWith(suffix))
            {
                factor = bytes;
                digits = text[..^1];
            }
        }

        return Number(digits) * factor is double size and < 1e18
            ? (long)size
            : throw new FormatException(
                $"'{text}' is not a size; give bytes, or a number with K, M, G or T, such as 500M.");
    }

    /// <summary>Parses <c>8</c>, <c>50%</c> of the processors, or <c>+2</c> more than the processors.</summary>
    /// <exception cref="FormatException">The text is not a number of jobs.</exception>
    public static int Jobs(string text)
    {
        int cores = Environment.ProcessorCount;
        double? jobs = text switch
        {
            [.. string percent, '%'] => Number(percent) * cores / 100 is double share and > 0
                ? Math.Max(1, share)
                : null,
            ['+', .. string more] => Number(more) + cores,
            _ => Number(text),
        };
        return jobs is >= 1 and <= 1_000_000 && (text.Contains('%', StringComparison.Ordinal) || jobs % 1 == 0)
            ? (int)jobs
            : throw new FormatException(
                $"'{text}' is not a number of jobs; give 1 or more, a share of the processors such as 50%, "
                + "or +N for N more than the processors.");
    }

    /// <summary>Parses a number of further attempts.</summary>
    /// <exception cref="FormatException">The text is not a valid number.</exception>
    public static int Count(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            ? count
            : throw new FormatException($"'{text}' is not a number of further attempts; give 0 or more.");

    /// <summary>Takes the name of a file.</summary>
    /// <exception cref="FormatException">The text is empty.</exception>
    public static string FileName(string text) =>
        text.Length > 0 ? text : throw new FormatException("the name of the file is empty.");

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
            && double.IsFinite(number)
            ? number
            : null;
}
