using System;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Defines the keys of measurements; floor.c writes the same keys.</summary>
internal static class Keys
{
    public const string Wall = "wall_ms";
    public const string Processor = "cpu_ms";
    public const string Allocated = "allocated";
    public const string WorkItems = "work_items";
    public const string PeakMemory = "peak_memory";
    public const string Threads = "threads";
    public const string Children = "children";
    public const string Failures = "failures";
    public const string Bytes = "bytes";
    public const string Start = "start_us";
    public const string IdleProcessor = "idle_cpu_ms";
    public const string ManagedPerChild = "managed_per_child";
    public const string Median = "p50_us";
    public const string Percentile99 = "p99_us";
    public const string Longest = "max_us";

    private const string AtStart = "_start";
    private const string AtEnd = "_end";

    public static string Tenth(int number) => FormattableString.Invariant($"tenth_{number}");

    /// <summary>Gets the key of a <see cref="ProcessState"/> value before the race.</summary>
    public static string Before(string key) => key + AtStart;

    /// <summary>Gets the key of a <see cref="ProcessState"/> value after the race.</summary>
    public static string After(string key) => key + AtEnd;
}
