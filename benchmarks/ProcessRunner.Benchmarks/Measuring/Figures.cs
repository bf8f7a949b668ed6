using System.Collections.Generic;
using System.Globalization;

namespace ProcessRunner.Benchmarks.Measuring;

/// <summary>Defines the figures that races share.</summary>
internal static class Figures
{
    private const double Kibibyte = 1024;
    private const double Mebibyte = 1024 * 1024;

    public static Metric Wall { get; } = new("wall time, ms", values => values[Keys.Wall], 0);

    public static Metric PerChild { get; } =
        new("µs a child", values => values[Keys.Wall] * 1e3 / values[Keys.Children], 1);

    public static Metric Processor { get; } =
        new("own processor, µs a child", values => values[Keys.Processor] * 1e3 / values[Keys.Children], 1);

    public static Metric ProcessorTotal { get; } = new("own processor, ms", values => values[Keys.Processor], 0);

    public static Metric AllocatedPerChild { get; } =
        new("allocated, KiB a child", values => values[Keys.Allocated] / Kibibyte / values[Keys.Children], 2);

    public static Metric WorkItems { get; } =
        new("pool work items a child", values => values[Keys.WorkItems] / values[Keys.Children], 1);

    public static Metric Threads { get; } = new("threads", values => values[Keys.Threads], 0);

    public static Metric PeakMemory { get; } =
        new("peak memory, MiB", values => values[Keys.PeakMemory] / Mebibyte, 0);

    /// <summary>Gets the figures of races whose children only run to their ends.</summary>
    public static IReadOnlyList<Metric> OfManyChildren { get; } =
        [PerChild, Processor, AllocatedPerChild, WorkItems, Threads, PeakMemory];

    public static Metric Rate { get; } =
        new("MB/s", values => values[Keys.Bytes] / values[Keys.Wall] / 1e3, 0) { IsRate = true };

    public static Metric Start { get; } = new("µs a start", values => values[Keys.Start], 1);

    public static Metric ManagedPerChild { get; } =
        new("managed, KiB a child", values => values[Keys.ManagedPerChild] / Kibibyte, 2);

    public static Metric IdleProcessor { get; } =
        new("processor use while idle, ms a second", values => values[Keys.IdleProcessor], 2);

    public static Metric Median { get; } = new("p50, µs", values => values[Keys.Median], 0);

    public static Metric Percentile99 { get; } = new("p99, µs", values => values[Keys.Percentile99], 0);

    public static Metric Tenth(int number) =>
        new(number.ToString(CultureInfo.InvariantCulture), values => values[Keys.Tenth(number)], 1);

    /// <summary>Creates a figure for a count before the race.</summary>
    public static Metric Before(string title, string key) =>
        new($"{title} before", values => values[Keys.Before(key)], 0);

    /// <summary>Creates a figure for a count after the race.</summary>
    public static Metric After(string title, string key) => new($"{title} after", values => values[Keys.After(key)], 0);

    /// <summary>Creates a figure for an amount of memory in MiB before the race.</summary>
    public static Metric MemoryBefore(string title, string key) =>
        new($"{title} before, MiB", values => values[Keys.Before(key)] / Mebibyte, 1);

    /// <summary>Creates a figure for an amount of memory in MiB after the race.</summary>
    public static Metric MemoryAfter(string title, string key) =>
        new($"{title} after, MiB", values => values[Keys.After(key)] / Mebibyte, 1);
}
