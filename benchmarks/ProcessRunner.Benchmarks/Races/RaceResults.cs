using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>All attempts of a race, and the medians and ratios that follow from them.</summary>
internal sealed class RaceResults(Race race, RaceSettings settings, IReadOnlyList<Contender> contenders)
{
    private readonly Dictionary<(string Key, int Point), List<Attempt>> _attempts = [];

    public Race Race => race;

    public RaceSettings Settings => settings;

    public IReadOnlyList<Contender> Contenders => contenders;

    /// <summary>What was wrong, each once.</summary>
    public IEnumerable<string> Faults =>
        _attempts.Values.SelectMany(attempts => attempts).Select(attempt => attempt.Fault).OfType<string>().Distinct();

    private int MainPoint => race.MainPoint(settings);

    /// <summary>Adds what came of a contender in the next run at this point.</summary>
    public void Add(Contender contender, int point, Attempt attempt)
    {
        if (!_attempts.TryGetValue((contender.Key, point), out List<Attempt>? attempts))
        {
            _attempts[(contender.Key, point)] = attempts = [];
        }

        attempts.Add(attempt);
    }

    /// <summary>Whether a contender was given up at this point.</summary>
    public bool TimedOut(string key, int point) =>
        _attempts.TryGetValue((key, point), out List<Attempt>? attempts) && attempts.Exists(attempt => attempt.TimedOut);

    /// <summary>The median of a figure; null if it was not measured, or if an attempt was given up.</summary>
    public double? Median(string key, Metric metric, int? point = null) =>
        MedianOfRuns(run => Figure(run, key, metric, point ?? MainPoint));

    /// <summary>
    /// How many times as much one contender's figure is as that of the best of others, which is the one with the best
    /// median: the median of what each run says.
    /// </summary>
    public double? Ratio(string key, Metric metric, IReadOnlyList<string> others, int? point = null)
    {
        IEnumerable<string> measured = others.Where(other => Median(other, metric, point) is not null);
        string? best = metric.IsRate
            ? measured.MaxBy(other => Median(other, metric, point))
            : measured.MinBy(other => Median(other, metric, point));
        return best is null ? null : Ratio(key, metric, best, point);
    }

    /// <summary>How many times as much as that of one other: the median of what each run says.</summary>
    public double? Ratio(string key, Metric metric, string other, int? point = null) => MedianOfRuns(run =>
        Figure(run, key, metric, point ?? MainPoint) / Figure(run, other, metric, point ?? MainPoint));

    /// <summary>How many times as much a figure is at one point as at another: the median of what each run says.</summary>
    public double? Growth(string key, Metric metric, int from, int to) => MedianOfRuns(run =>
        Figure(run, key, metric, to) / Figure(run, key, metric, from));

    /// <summary>How many times as much one figure of a contender is as another: the median of what each run says.</summary>
    public double? Growth(string key, Metric from, Metric to) => MedianOfRuns(run =>
        Figure(run, key, to, MainPoint) / Figure(run, key, from, MainPoint));

    // What the machine does in one run meets all contenders of that run; from one run to the next it does something else.
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
