using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Represents all attempts of a race and computes their medians and ratios.</summary>
internal sealed class RaceResults(Race race, RaceSettings settings, IReadOnlyList<Contender> contenders)
{
    private readonly Dictionary<(string Key, int Point), List<Attempt>> _attempts = [];

    public Race Race => race;

    public RaceSettings Settings => settings;

    public IReadOnlyList<Contender> Contenders => contenders;

    /// <summary>Gets the distinct faults of the race.</summary>
    public IEnumerable<string> Faults =>
        _attempts.Values.SelectMany(attempts => attempts).Select(attempt => attempt.Fault).OfType<string>().Distinct();

    private int MainPoint => race.MainPoint(settings);

    /// <summary>Adds the result of a contender's next run at a point.</summary>
    public void Add(Contender contender, int point, Attempt attempt)
    {
        if (!_attempts.TryGetValue((contender.Key, point), out List<Attempt>? attempts))
        {
            _attempts[(contender.Key, point)] = attempts = [];
        }

        attempts.Add(attempt);
    }

    /// <summary>Returns whether a contender was abandoned at a point.</summary>
    public bool TimedOut(string key, int point) =>
        _attempts.TryGetValue((key, point), out List<Attempt>? attempts)
            && attempts.Exists(attempt => attempt.TimedOut);

    /// <summary>Gets the median of a figure; null if it was not measured or if an attempt was abandoned.</summary>
    public double? Median(string key, Metric metric, int? point = null) =>
        MedianOfRuns(run => Figure(run, key, metric, point ?? MainPoint));

    /// <summary>
    /// Gets the ratio of a contender's figure to the figure of the best of several others. The best has the best
    /// median. The ratio is the median of the ratios of the runs.
    /// </summary>
    public double? Ratio(string key, Metric metric, IReadOnlyList<string> others, int? point = null)
    {
        IEnumerable<string> measured = others.Where(other => Median(other, metric, point) is not null);
        string? best = metric.IsRate
            ? measured.MaxBy(other => Median(other, metric, point))
            : measured.MinBy(other => Median(other, metric, point));
        return best is null ? null : Ratio(key, metric, best, point);
    }

    /// <summary>
    /// Gets the ratio of a contender's figure to that of another contender, as the median of the ratios of the runs.
    /// </summary>
    public double? Ratio(string key, Metric metric, string other, int? point = null) => MedianOfRuns(run =>
        Figure(run, key, metric, point ?? MainPoint) / Figure(run, other, metric, point ?? MainPoint));

    /// <summary>
    /// Gets the ratio of a figure at one point to the same figure at another point, as the median of the ratios of the
    /// runs.
    /// </summary>
    public double? Growth(string key, Metric metric, int from, int to) => MedianOfRuns(run =>
        Figure(run, key, metric, to) / Figure(run, key, metric, from));

    /// <summary>
    /// Gets the ratio of one figure of a contender to another figure of it, as the median of the ratios of the runs.
    /// </summary>
    public double? Change(string key, Metric from, Metric to) => MedianOfRuns(run =>
        Figure(run, key, to, MainPoint) / Figure(run, key, from, MainPoint));

    // Other load on the machine affects all contenders of a run, but differs from run to run.
    private double? MedianOfRuns(Func<int, double?> figure)
    {
        double[] values = [.. Enumerable.Range(0, settings.Runs).Select(figure).OfType<double>().Order()];
        int middle = values.Length / 2;
        return values.Length switch
        {
            0 => null,
            int count when count % 2 == 1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2,
        };
    }

    private double? Figure(int run, string key, Metric metric, int point) =>
        _attempts.TryGetValue((key, point), out List<Attempt>? attempts) && !TimedOut(key, point)
        && attempts[run].Values is Measurement values ? metric.Value(values) : null;
}
