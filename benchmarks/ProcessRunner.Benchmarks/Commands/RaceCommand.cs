using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Races;
using ProcessRunner.Benchmarks.Reports;

namespace ProcessRunner.Benchmarks.Commands;

/// <summary>Runs one race or all races, and writes the results.</summary>
internal static class RaceCommand
{
    /// <summary>The command with which a newcomer runs this program.</summary>
    public const string Program = "dotnet run -c Release --project benchmarks/ProcessRunner.Benchmarks --";

    private static readonly Argument<string[]> s_names = new("name")
    {
        Arity = ArgumentArity.ZeroOrMore,
        Description = $"Which races; all if none is named: {string.Join(", ", Race.All.Select(race => race.Name))}.",
    };

    private static readonly Option<int?> s_children =
        new("--children") { Description = "How many children each contender runs." };
    private static readonly Option<int?> s_concurrency = new("--concurrency") { Description = "How many at once." };
    private static readonly Option<int?> s_runs = new("--runs") { Description = "How often every contender runs." };

    private static readonly Option<string?> s_points = new("--points")
    {
        Description = "Only these points of a sweep, with commas between them (-1: unlimited).",
    };

    private static readonly Option<string?> s_contenders = new("--contenders")
    {
        Description = "Only these contenders, with commas between them, as storm has: "
            + string.Join(", ", Race.All[0].Contenders.Select(contender => contender.Key)) + ".",
    };

    private static readonly Option<bool> s_quick = new("--quick")
    {
        Description =
            "A size that only proves that it works. Like every race of a part, it writes to artifacts/benchmarks.",
    };

    static RaceCommand() => s_names.AcceptOnlyFromAmong([.. Race.All.Select(race => race.Name)]);

    public static Command Create()
    {
        Command command = new("race", "Whole workloads: references and rivals interleaved, medians and ratios.")
        {
            s_names, s_children, s_concurrency, s_runs, s_points, s_contenders, s_quick,
        };
        command.SetAction(Run);
        return command;
    }

    /// <summary>Runs a race and reports it.</summary>
    /// <returns>True if every byte and every exit code of every contender was right.</returns>
    public static bool Run(
        Race race, RaceSettings settings, IReadOnlyList<Contender> contenders, string line, string directory)
    {
        RaceResults results = RaceRunner.Run(race, settings, contenders, Console.Out);
        Console.WriteLine();
        Console.WriteLine(RaceReport.Write(results, line, directory));
        return !results.Faults.Any();
    }

    private static int Run(ParseResult parsed)
    {
        string[] names = parsed.GetValue(s_names) ?? [];
        bool succeeded = true;
        foreach (Race race in Race.All.Where(race => names.Length == 0 || names.Contains(race.Name)))
        {
            bool isQuick = parsed.GetValue(s_quick);
            RaceSettings settings = Settings(parsed, isQuick ? race.Quick : race.Defaults);
            IReadOnlyList<Contender> contenders = Chosen(race, parsed.GetValue(s_contenders));
            bool isWhole = !isQuick && contenders.Count == race.Contenders.Count && parsed.GetValue(s_points) is null;
            string directory = isWhole ? Repository.Results : QuickResults;
            succeeded &= Run(race, settings, contenders, CommandLine(parsed, race, settings), directory);
        }

        return succeeded ? 0 : 1;
    }

    /// <summary>Gets the directory of results that are not to be committed.</summary>
    public static string QuickResults { get; } = Path.Combine(Repository.Artifacts, "results");

    private static RaceSettings Settings(ParseResult parsed, RaceSettings settings) => settings with
    {
        Children = parsed.GetValue(s_children) ?? settings.Children,
        Concurrency = parsed.GetValue(s_concurrency) ?? settings.Concurrency,
        Runs = parsed.GetValue(s_runs) ?? settings.Runs,
        Points = parsed.GetValue(s_points) is string points
            ? [
                .. points.Split(',').Select(point =>
                    int.Parse(point, System.Globalization.CultureInfo.InvariantCulture)),
            ]
            : settings.Points,
    };

    private static IReadOnlyList<Contender> Chosen(Race race, string? keys)
    {
        ImmutableHashSet<string>? chosen = keys?.Split(',').ToImmutableHashSet();
        return [.. race.Contenders.Where(contender => chosen is null || chosen.Contains(contender.Key))];
    }

    // The command names every number, so that it still produces these results after a change of the defaults.
    private static string CommandLine(ParseResult parsed, Race race, RaceSettings settings)
    {
        StringBuilder line = new($"{Program} race {race.Name}");
        Append(s_children.Name, settings.Children);
        if (race.Defaults.Concurrency > 1)
        {
            Append(s_concurrency.Name, settings.Concurrency);
        }

        Append(s_runs.Name, settings.Runs);
        Append(s_points.Name, parsed.GetValue(s_points));
        Append(s_contenders.Name, parsed.GetValue(s_contenders));
        return line.Append(parsed.GetValue(s_quick) ? $" {s_quick.Name}" : "").ToString();

        void Append(string option, object? value)
        {
            if (value is not null)
            {
                line.Append(FormattableString.Invariant($" {option} {value}"));
            }
        }
    }
}
