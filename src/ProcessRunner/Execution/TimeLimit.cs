using System;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>Validates time limits.</summary>
internal static class TimeLimit
{
    /// <summary>Accepts zero, any positive span and <see cref="Timeout.InfiniteTimeSpan"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The limit is any other negative span.</exception>
    public static TimeSpan Validated(TimeSpan limit, string parameter) =>
        limit < TimeSpan.Zero && limit != Timeout.InfiniteTimeSpan
            ? throw new ArgumentOutOfRangeException(
                parameter, limit, "A limit is zero, positive or Timeout.InfiniteTimeSpan.")
            : limit;
}
