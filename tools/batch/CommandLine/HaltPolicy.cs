using System;
using System.Globalization;

namespace Batch.CommandLine;

/// <summary>Defines when failures end the run, and whether the running jobs are stopped then.</summary>
/// <param name="StopsRunning">True to stop the running jobs; false to wait for them.</param>
/// <param name="Failures">The number of failures that ends the run, or null.</param>
/// <param name="Percent">The percentage of failures among the ended jobs that ends the run, or null.</param>
internal sealed record HaltPolicy(bool StopsRunning, int? Failures, double? Percent)
{
    // One failure of one job is 100 %. A percentage is meaningless before a few jobs have failed.
    private const int FewestForPercent = 3;

    public static HaltPolicy Never { get; } = new(false, null, null);

    public bool IsNever => Failures is null && Percent is null;

    /// <summary>Gets whether the first failure ends the run. The batch itself detects this failure soonest.</summary>
    public bool IsAtFirst => Failures == 1;

    /// <summary>Returns whether the failures among the ended jobs suffice to end the run.</summary>
    public bool IsReached(long failed, long ended) =>
        (Failures is int count && failed >= count)
        || (Percent is double percent && failed >= FewestForPercent && failed * 100.0 >= percent * ended);

    /// <summary>Parses <c>never</c>, <c>soon,fail=1</c>, <c>now,fail=3</c> or <c>soon,fail=10%</c>.</summary>
    /// <exception cref="FormatException">The text has none of these forms.</exception>
    public static HaltPolicy Parse(string text)
    {
        if (text == "never")
        {
            return Never;
        }

        string[] parts = text.Split(',');
        if (parts is not ["now" or "soon", _] || !parts[1].StartsWith("fail=", StringComparison.Ordinal))
        {
            throw new FormatException(
                $"'{text}' is none of never, soon,fail=N, now,fail=N, soon,fail=P% and now,fail=P%.");
        }

        bool stopsRunning = parts[0] == "now";
        string amount = parts[1]["fail=".Length..];
        if (amount.EndsWith('%'))
        {
            return double.TryParse(
                amount[..^1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent)
                && percent is > 0 and <= 100
                    ? new HaltPolicy(stopsRunning, null, percent)
                    : throw new FormatException(
                        $"'{amount}' is not a share of the jobs; give more than 0% and at most 100%.");
        }

        return int.TryParse(amount, NumberStyles.None, CultureInfo.InvariantCulture, out int failures) && failures > 0
            ? new HaltPolicy(stopsRunning, failures, null)
            : throw new FormatException($"'{amount}' is not a number of failed jobs; give 1 or more.");
    }
}
