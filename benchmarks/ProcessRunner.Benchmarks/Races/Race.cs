using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Reports;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents a whole workload that contenders run one after another, round by round.</summary>
internal abstract class Race
{
    /// <summary>Gets every race, in the order of the documentation.</summary>
    public static IReadOnlyList<Race> All { get; } =
    [
        new StormRace(), new SingleRace(), new FloodRace(), new ParallelForEachRace(), new SaturatedRace(),
        new LiveRace(),
        new LatencyRace(), new SoakRace(),
    ];

    /// <summary>Gets the name of the race on the command line and in the file names of its results.</summary>
    public abstract string Name { get; }

    /// <summary>Gets the question that the race answers.</summary>
    public abstract string Question { get; }

    /// <summary>Gets the default size of the race.</summary>
    public abstract RaceSettings Defaults { get; }

    /// <summary>Gets a size that only proves that the race works.</summary>
    public abstract RaceSettings Quick { get; }

    public abstract IReadOnlyList<Contender> Contenders { get; }

    /// <summary>Gets the figures in the tables; the first is the main figure.</summary>
    public abstract IReadOnlyList<Metric> Metrics { get; }

    /// <summary>Gets the figures in the plot.</summary>
    public virtual IReadOnlyList<Metric> Plotted => [Metrics[0]];

    public abstract IReadOnlyList<Goal> Goals { get; }

    /// <summary>Gets the column head of the sweep; null without a sweep.</summary>
    public virtual string? Sweep => null;

    /// <summary>Gets whether the plotted figures differ by orders of magnitude.</summary>
    public virtual bool IsLogarithmic => false;

    /// <summary>Gets the panels of the plot: lines over a sweep of more than one point, otherwise bars.</summary>
    public virtual IEnumerable<Panel> Panels(RaceResults results) => Plotted.Select(metric => Sweep is string sweep
        && results.Settings.Points.Length > 1
        ? PanelFactory.Lines(results, metric, sweep)
        : PanelFactory.Bars(results, metric, results.Settings.Points[0], metric.Title));

    /// <summary>Describes the work of the children.</summary>
    public abstract string Describe(RaceSettings settings);

    public virtual string PointName(int point) => point.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Gets the point at which contenders are compared with one another.</summary>
    public virtual int MainPoint(RaceSettings settings) => settings.Points.Last();
}
