using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Commands;

/// <summary>Runs one contender once, in this process. A race starts this command.</summary>
internal static class ContendCommand
{
    private const string Name = "contend";

    private static readonly Argument<string> s_race = new("race");
    private static readonly Argument<string> s_contender = new("contender");
    private static readonly Option<int> s_children = new("--children");
    private static readonly Option<int> s_concurrency = new("--concurrency");
    private static readonly Option<long> s_bytes = new("--bytes");
    private static readonly Option<int> s_point = new("--point");

    public static Command Create()
    {
        Command command = new(Name, "One contender of a race in this process; prints its measurement. Races call it.")
        {
            s_race, s_contender, s_children, s_concurrency, s_bytes, s_point,
        };
        command.Hidden = true;
        command.SetAction(Run);
        return command;
    }

    /// <summary>Gets the arguments that a race starts this program with.</summary>
    public static IEnumerable<string> Arguments(Race race, Contender contender, RaceSettings settings)
    {
        return [
            Name, race.Name, contender.Key,
            s_children.Name, Text(settings.Children),
            s_concurrency.Name, Text(settings.Concurrency),
            s_bytes.Name, Text(settings.Bytes),
            s_point.Name, Text(settings.Point),
        ];

        static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
    }

    private static int Run(ParseResult parsed)
    {
        Race race = Race.All.Single(race => race.Name == parsed.GetRequiredValue(s_race));
        ManagedContender contender = race.Contenders.OfType<ManagedContender>()
            .Single(contender => contender.Key == parsed.GetRequiredValue(s_contender));
        Measurement measurement = contender.Measure(new RaceSettings
        {
            Children = parsed.GetValue(s_children),
            Concurrency = parsed.GetValue(s_concurrency),
            Bytes = parsed.GetValue(s_bytes),
            Point = parsed.GetValue(s_point),
        });
        measurement.Write(Console.Out);
        return measurement[Keys.Failures] > 0 ? 1 : 0;
    }
}
