using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Reports;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>A whole workload that contenders run one after another, round by round.</summary>
internal abstract class Race
{
    /// <summary>Every race, in the order of the documentation.</summary>
    public static IReadOnlyList<Race> All { get; } =
    [
        new StormRace(), new SingleRace(), new FloodRace(), new ParallelForEachRace(), new SaturatedRace(), new LiveRace(),
        new LatencyRace(), new SoakRace(),
    ];

    /// <summary>What the command line and the files of its results call it.</summary>
    public abstract string Name { get; }

    /// <summary>What it finds out.</summary>
    public abstract string Question { get; }

    /// <summary>Its size when nothing else is said.</summary>
    public abstract RaceSettings Defaults { get; }

    /// <summary>A size that only proves that it works.</summary>
    public abstract RaceSettings Quick { get; }

    public abstract IReadOnlyList<Contender> Contenders { get; }

    /// <summary>What its tables show; the first is what it is about.</summary>
    public abstract IReadOnlyList<Metric> Metrics { get; }

    /// <summary>The metrics in its plot.</summary>
    public virtual IReadOnlyList<Metric> Plotted => [Metrics[0]];

    public abstract IReadOnlyList<Goal> Goals { get; }

    /// <summary>What it sweeps over, for the head of a table; null if it sweeps over nothing.</summary>
    public virtual string? Sweep => null;

    /// <summary>Whether the plotted figures differ by orders of magnitude.</summary>
    public virtual bool IsLogarithmic => false;

    /// <summary>What its plot shows: lines over a sweep of more than one point, else bars.</summary>
    public virtual IEnumerable<Panel> Panels(RaceResults results) => Plotted.Select(metric => Sweep is string sweep
        && results.Settings.Points.Length > 1
        ? Reports.Panels.Lines(results, metric, sweep)
        : Reports.Panels.Bars(results, metric, results.Settings.Points[0], metric.Title));

    /// <summary>What the children did, in one sentence.</summary>
    public abstract string Describe(RaceSettings settings);

    public virtual string PointName(int point) => point.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>The point at which contenders are compared with one another.</summary>
    public virtual int MainPoint(RaceSettings settings) => settings.Points.Last();
}
