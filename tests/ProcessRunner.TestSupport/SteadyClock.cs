using System;
using System.Diagnostics;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Repeats what the system's clock was set in, as after a pause of a virtual machine. A time of that clock and a
/// duration by the monotonic clock fit together only without such a step.
/// </summary>
public static class SteadyClock
{
    private const int Attempts = 5;
    private const int Looks = 10;

    // A thread may be off its processor between the looks at the two clocks.
    private static readonly TimeSpan s_tolerance = TimeSpan.FromMilliseconds(1);

    /// <summary>Makes a run, or a check, again if the clock was set meanwhile. The last one decides.</summary>
    public static void During(Action action)
    {
        for (int attempt = 1; ; attempt++)
        {
            TimeSpan lead = Lead();
            bool IsToBeRepeated() => attempt < Attempts && (Lead() - lead).Duration() > s_tolerance;
            try
            {
                action();
                if (!IsToBeRepeated())
                {
                    return;
                }
            }
            catch (Exception exception) when (IsToBeRepeated())
            {
                Trace.WriteLine($"The clock was set: {exception.Message}");
            }
        }
    }

    /// <summary>Gets by how much the system's clock is ahead: the closest two looks tell it best.</summary>
    private static TimeSpan Lead()
    {
        TimeSpan lead = default;
        TimeSpan least = TimeSpan.MaxValue;
        for (int look = 0; look < Looks; look++)
        {
            long before = Stopwatch.GetTimestamp();
            DateTime now = DateTime.UtcNow;
            TimeSpan between = Stopwatch.GetElapsedTime(before);
            if (between < least)
            {
                least = between;
                lead = now - DateTime.UnixEpoch - Stopwatch.GetElapsedTime(0, before);
            }
        }

        return lead;
    }
}
