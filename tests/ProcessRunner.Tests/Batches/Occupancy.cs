using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// How much of something was taken at the same time, by what the children themselves wrote down: a line at their begin
/// and one at their end, each in nanoseconds of one clock. They lie within the true lives, so what overlaps here did.
/// </summary>
internal static class Occupancy
{

    /// <summary>When a timed child began and ended.</summary>
    public static (long Begin, long End) LifeOf(ProcessResult result)
    {
        string[] words = result.StandardOutput.Text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        return (long.Parse(words[^2]), long.Parse(words[^1]));
    }

    /// <summary>The largest sum of weights that lived at once.</summary>
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
