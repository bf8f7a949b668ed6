using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.Backends.Primitives;

/// <summary>Provides the instants of deadlines: ticks of <see cref="Stopwatch"/>, which never go back.</summary>
internal static class MonotonicClock
{
    /// <summary>An instant that never comes.</summary>
    public const long Never = long.MaxValue;

    /// <summary>Gets the current instant.</summary>
    public static long Now => Surroundings.Timestamp;

    /// <summary>
    /// Returns the instant <paramref name="span"/> after <paramref name="instant"/>; <see cref="Never"/> for
    /// <see cref="Timeout.InfiniteTimeSpan"/>.
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

    /// <summary>Returns the instant <paramref name="span"/> from now, as <see cref="After"/> does.</summary>
    public static long In(TimeSpan span) => After(Now, span);

    /// <summary>Returns the time from one instant to a later one.</summary>
    public static TimeSpan Between(long from, long to) => Stopwatch.GetElapsedTime(from, to);

    /// <summary>Returns the time left until an instant: zero if it has passed, infinite if it never comes.</summary>
    public static TimeSpan Until(long instant)
    {
        long now = Now;
        return instant == Never ? Timeout.InfiniteTimeSpan : instant <= now ? TimeSpan.Zero : Between(now, instant);
    }

    /// <summary>
    /// Returns the whole milliseconds until an instant, rounded up, so that a sleep of that length does not end early.
    /// </summary>
    public static int MillisecondsUntil(long instant, long now)
    {
        long ticksPerMillisecond = Stopwatch.Frequency / 1000;
        long milliseconds = instant <= now ? 0 : ((instant - now - 1) / ticksPerMillisecond) + 1;
        return (int)Math.Min(milliseconds, int.MaxValue);
    }
}
