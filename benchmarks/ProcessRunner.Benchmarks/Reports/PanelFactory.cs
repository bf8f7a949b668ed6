using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Creates panels from results.</summary>
internal static class PanelFactory
{
    /// <summary>Creates a panel that shows one metric of all contenders at one point.</summary>
    public static Panel Bars(RaceResults results, Metric metric, int point, string title) => new BarPanel(
        title,
        [
            .. results.Contenders
                .Where(contender =>
                    results.TimedOut(contender.Key, point) || results.Median(contender.Key, metric, point) is not null)
                .Select(contender => new Bar(
                    contender.Name,
                    contender.Kind,
                    results.Median(contender.Key, metric, point),
                    results.TimedOut(contender.Key, point)
                        ? FormattableString.Invariant($"abandoned after {results.Settings.Patience.TotalSeconds} s")
                        : metric.Format(results.Median(contender.Key, metric, point)))),
        ]);

    /// <summary>Creates a panel that shows one metric of all contenders over the points of the sweep.</summary>
    public static Panel Lines(RaceResults results, Metric metric, string across) => new LinePanel(
        metric.Title,
        across,
        [.. results.Settings.Points.Select(results.Race.PointName)],
        [.. results.Contenders.Select(contender => new Series(
            contender.Name,
            contender.Kind,
            [.. results.Settings.Points.Select(point => results.Median(contender.Key, metric, point))]))],
        results.Race.IsLogarithmic);

    /// <summary>Creates a panel that shows several metrics of all contenders side by side.</summary>
    public static Panel Across(RaceResults results, IReadOnlyList<Metric> metrics, string title, string across) =>
        new LinePanel(
        title,
        across,
        [.. metrics.Select(metric => metric.Title)],
        [.. results.Contenders.Select(contender => new Series(
            contender.Name, contender.Kind, [.. metrics.Select(metric => results.Median(contender.Key, metric))]))],
        IsLogarithmic: false);
}
