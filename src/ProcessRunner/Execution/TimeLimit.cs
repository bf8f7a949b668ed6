using System;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>What a caller may give as a limit of time.</summary>
internal static class TimeLimit
{
    /// <summary>Accepts zero, any positive span and <see cref="Timeout.InfiniteTimeSpan"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is another negative span.</exception>
    public static TimeSpan Validated(TimeSpan limit, string parameter) =>
        limit < TimeSpan.Zero && limit != Timeout.InfiniteTimeSpan
            ? throw new ArgumentOutOfRangeException(
                parameter, limit, "A limit is zero, positive or Timeout.InfiniteTimeSpan.")
            : limit;
}
