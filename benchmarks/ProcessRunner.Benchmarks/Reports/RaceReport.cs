using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Writes the results of a race as Markdown, with a plot beside it.</summary>
internal static class RaceReport
{
    private const int MostColumns = 8;

    /// <summary>Writes NAME.md and NAME.svg.</summary>
    /// <returns>The Markdown text, for the console.</returns>
    public static string Write(RaceResults results, string command, string directory)
    {
        string text = Text(results, command);
        string name = results.Race.Name;
        Directory.CreateDirectory(directory);
        File.WriteAllText(Path.Combine(directory, $"{name}.md"), text);
        File.WriteAllText(
            Path.Combine(directory, $"{name}.svg"), SvgPlot.Render(results.Race.Panels(results)));
        return text;
    }

    private static string Text(RaceResults results, string command)
    {
        Race race = results.Race;
        StringBuilder text = new();
        text.Append(
            CultureInfo.InvariantCulture, $"# {race.Name}\n\n{race.Question}\n\n{race.Describe(results.Settings)}\n\n");
        text.Append(
                CultureInfo.InvariantCulture, $"Medians of {results.Settings.Runs} interleaved runs, ")
            .Append(
                CultureInfo.InvariantCulture, $"every one in a process of its own, on {Machine.Description}. ")
            .Append("Ratios are taken within each run, and their median is shown:\n\n");
        text.Append(CultureInfo.InvariantCulture, $"```sh\n{command}\n```\n\n![{race.Name}]({race.Name}.svg)\n\n");
        if (NativePrograms.Floor is null)
        {
            text.Append(
                "**The floor is missing**: this machine has no C compiler, and the children are coreutils.\n\n");
        }

        text.AppendJoin('\n', race.Sweep is string sweep ? SweepTables(results, sweep) : [SingleTable(results)]);
        text.Append('\n').Append(Ratios(results));
        text.Append("\n## Goals\n\n").Append(Goals(results));
        foreach (string fault in results.Faults)
        {
            text.Append(CultureInfo.InvariantCulture, $"\n**FAILED**: {fault}\n");
        }

        return text.ToString();
    }

    // A table with too many metrics for columns shows them as rows.
    private static string SingleTable(RaceResults results)
    {
        int point = results.Settings.Points[0];
        IReadOnlyList<Metric> metrics = results.Race.Metrics;
        if (metrics.Count > MostColumns)
        {
            Table tall = new(["", .. results.Contenders.Select(contender => contender.Name)]);
            foreach (Metric metric in metrics)
            {
                tall.Add(
                    [metric.Title, .. results.Contenders.Select(contender => Cell(results, contender, metric, point))]);
            }

            return tall.ToString();
        }

        Table table = new(["contender", .. metrics.Select(metric => metric.Title)]);
        foreach (Contender contender in results.Contenders)
        {
            table.Add([contender.Name, .. metrics.Select(metric => Cell(results, contender, metric, point))]);
        }

        return table.ToString();
    }

    private static IEnumerable<string> SweepTables(RaceResults results, string sweep)
    {
        foreach (Metric metric in results.Race.Metrics)
        {
            Table table = new([sweep, .. results.Settings.Points.Select(results.Race.PointName)]);
            foreach (Contender contender in results.Contenders)
            {
                table.Add(
                [
                    contender.Name,
                    .. results.Settings.Points.Select(point => Cell(results, contender, metric, point)),
                ]);
            }

            yield return $"### {metric.Title}\n\n{table}";
        }
    }

    private static string Cell(RaceResults results, Contender contender, Metric metric, int point) =>
        results.TimedOut(contender.Key, point)
            ? FormattableString.Invariant($"> {results.Settings.Patience.TotalSeconds} s, abandoned")
            : metric.Format(results.Median(contender.Key, metric, point));

    // The ratio compares this library's use (or its rate) with that of each other contender.
    private static string Ratios(RaceResults results)
    {
        Race race = results.Race;
        Contender[] library = [.. results.Contenders.Where(contender => contender.Kind == ContenderKind.Library)];
        int point = race.MainPoint(results.Settings);
        Metric metric = race.Metrics[0];
        Table table = new([metric.Title, .. library.Select(contender => $"{contender.Name} ÷")]);
        foreach (Contender other in results.Contenders.Where(contender => contender.Kind != ContenderKind.Library))
        {
            table.Add(
                [other.Name, .. library.Select(ours => Figure(results.Ratio(ours.Key, metric, other.Key, point)))]);
        }

        string at = race.Sweep is string sweep ? $", {sweep}: {race.PointName(point)}" : "";
        return $"## Ratios{at}\n\n{table}";
    }

    private static string Goals(RaceResults results)
    {
        Table table = new("goal", "to reach", "measured", "verdict");
        foreach (Goal goal in results.Race.Goals)
        {
            table.Add(
                goal.Text,
                FormattableString.Invariant($"{(goal.IsAtLeast ? "≥" : "≤")} {goal.Limit:0.###}"),
                Figure(goal.Measure(results)),
                goal.Verdict(results));
        }

        return table.ToString();
    }

    private static string Figure(double? value) =>
        value is double number ? number.ToString("0.000", CultureInfo.InvariantCulture) : "–";
}
