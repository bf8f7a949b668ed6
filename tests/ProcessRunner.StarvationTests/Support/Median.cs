using System;
using System.Collections.Generic;
using System.Linq;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>What a measured time is worth on a machine that others use too.</summary>
internal static class Median
{
    public static TimeSpan Of(IReadOnlyCollection<TimeSpan> times) => times.Order().ElementAt(times.Count / 2);
}
