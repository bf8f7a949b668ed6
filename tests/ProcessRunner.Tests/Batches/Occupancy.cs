using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Computes the concurrency from the records of the children: a line at their begin and a line at their end, each in
/// nanoseconds of one clock. The recorded times lie within the true lives, so recorded overlaps are real.
/// </summary>
internal static class Occupancy
{

    /// <summary>Gets the begin and the end of a timed child.</summary>
    public static (long Begin, long End) LifeOf(ProcessResult result)
    {
        string[] words = result.StandardOutput.Text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        return (long.Parse(words[^2]), long.Parse(words[^1]));
    }

    /// <summary>Gets the largest sum of weights that were alive at once.</summary>
    public static int Highest(IEnumerable<(long Begin, long End, int Weight)> lives)
    {
        int now = 0;
        int highest = 0;
        foreach ((long _, int change) in lives
            .SelectMany(life => new[] { (At: life.Begin, Change: life.Weight), (At: life.End, Change: -life.Weight) })
            .OrderBy(change => change.At)
            .ThenBy(change => change.Change))
        {
            now += change;
            highest = Math.Max(highest, now);
        }

        return highest;
    }
}
