using System;

namespace QuickStart;

/// <summary>Formats measurements in columns.</summary>
internal static class Table
{
    public static string Header { get; } =
        $"{"",-16} {"children",8} {"failures",8} {"bytes",12} {"wall time",10} {"per child",10} {"pool threads",13}";

    public static string Row(Measurement measurement)
    {
        string wallTime = FormattableString.Invariant($"{measurement.WallTime.TotalSeconds:F2} s");
        string perChild = FormattableString.Invariant(
            $"{measurement.WallTime.TotalMilliseconds / measurement.Children:F1} ms");
        string bytes = FormattableString.Invariant($"{measurement.Bytes:N0}");
        string poolThreads = $"{measurement.PoolThreadsBefore} -> {measurement.PoolThreadsAfter}";
        return $"{measurement.Runner,-16} {measurement.Children,8} {measurement.Failures,8} {bytes,12} "
            + $"{wallTime,10} {perChild,10} {poolThreads,13}";
    }
}
