using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.Backends;

/// <summary>Instants that only ever grow, in ticks of <see cref="Stopwatch"/>: what deadlines are told in.</summary>
internal static class MonotonicClock
{
    /// <summary>An instant that does not come.</summary>
    public const long Never = long.MaxValue;

    /// <summary>The instant now.</summary>
    public static long Now => Stopwatch.GetTimestamp();

    /// <summary>
    /// The instant that lies <paramref name="span"/> after <paramref name="instant"/>;
    /// <see cref="Timeout.InfiniteTimeSpan"/> leads to <see cref="Never"/>.
    /// </summary>
    public static long After(long instant, TimeSpan span)
    {
        if (span < TimeSpan.Zero)
        {
            return Never;
        }

        double ticks = span.TotalSeconds * Stopwatch.Frequency;
        return ticks >= Never - instant ? Never : instant + (long)ticks;
    }

    /// <summary>The time from one instant to a later one.</summary>
    public static TimeSpan Between(long from, long to) => Stopwatch.GetElapsedTime(from, to);

    /// <summary>The time that is left until an instant: none if it has passed, infinite if it does not come.</summary>
    public static TimeSpan Until(long instant)
    {
        long now = Now;
        return instant == Never ? Timeout.InfiniteTimeSpan : instant <= now ? TimeSpan.Zero : Between(now, instant);
    }

    /// <summary>The whole milliseconds to an instant, rounded up, so that a sleep of that length does not end early.</summary>
    public static int MillisecondsUntil(long instant, long now)
    {
        long ticksPerMillisecond = Stopwatch.Frequency / 1000;
        long milliseconds = instant <= now ? 0 : ((instant - now - 1) / ticksPerMillisecond) + 1;
        return (int)Math.Min(milliseconds, int.MaxValue);
    }
}
