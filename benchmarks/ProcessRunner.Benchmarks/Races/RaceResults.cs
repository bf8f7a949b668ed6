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
    public double? Median(string key, Metric metric, int? point = null)
    {
        int at = point ?? race.MainPoint(settings);
        if (!_attempts.TryGetValue((key, at), out List<Attempt>? attempts) || TimedOut(key, at))
        {
            return null;
        }

        double[] values = [.. attempts.Where(attempt => attempt.Values is not null)
            .Select(attempt => metric.Value(attempt.Values!)).OfType<double>().Order()];
        int middle = values.Length / 2;
        return values.Length switch
        {
            0 => null,
            int count when count % 2 == 1 => values[middle],
            _ => (values[middle - 1] + values[middle]) / 2,
        };
    }

    /// <summary>How many times as much one contender's figure is as that of the best of others.</summary>
    public double? Ratio(string key, Metric metric, IReadOnlyList<string> others, int? point = null)
    {
        double[] figures = [.. others.Select(other => Median(other, metric, point)).OfType<double>()];
        return figures.Length == 0 ? null : Median(key, metric, point) / (metric.IsRate ? figures.Max() : figures.Min());
    }

    /// <summary>How many times as much as that of one other.</summary>
    public double? Ratio(string key, Metric metric, string other, int? point = null) => Ratio(key, metric, [other], point);

    /// <summary>How many times as much a figure is at one point as at another.</summary>
    public double? Growth(string key, Metric metric, int from, int to) => Median(key, metric, to) / Median(key, metric, from);
}
