using System;
using System.Diagnostics;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Repeats a check that depends on a limit of time with longer and longer limits, until it holds. On a busy machine a
/// limit can pass before the child has done what is to come before it, and no limit is long enough for every machine.
/// </summary>
public static class LongerLimits
{
    /// <summary>Makes a check with limits from 300 ms to 20 s. The last one decides.</summary>
    public static void Until(Action<TimeSpan> check) =>
        Until(TimeSpan.FromMilliseconds(300), TimeSpan.FromSeconds(20), check);

    /// <summary>Makes a check with limits from the first to the longest one. The last one decides.</summary>
    public static void Until(TimeSpan first, TimeSpan longest, Action<TimeSpan> check)
    {
        for (TimeSpan limit = first; ; limit *= 4)
        {
            try
            {
                check(limit);
                return;
            }
            catch (Exception exception) when (limit * 4 <= longest)
            {
                Trace.WriteLine($"It does not hold within {limit}: {exception.Message}");
            }
        }
    }
}
