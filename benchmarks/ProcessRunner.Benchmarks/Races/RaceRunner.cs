using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>
/// Runs the contenders of a race one after another, round by round, so that other load on the machine affects all of
/// them. Each contender runs in a new process, because a ThreadPool that has grown makes the next figure look better.
/// </summary>
internal static class RaceRunner
{
    public static RaceResults Run(
        Race race, RaceSettings settings, IReadOnlyList<Contender> contenders, TextWriter log)
    {
        RaceResults results = new(race, settings, contenders);
        log.WriteLine($"{race.Name}: {race.Describe(settings)}");
        if (NativePrograms.Floor is null)
        {
            log.WriteLine(
                "There is no C compiler (cc, or the value of CC): the floor is missing, the children are coreutils.");
        }

        for (int round = 1; round <= settings.Runs; round++)
        {
            foreach (int point in settings.Points)
            {
                foreach (Contender contender in contenders.Where(contender => contender.RunsAt(point)))
                {
                    Attempt? attempt = Try(race, contender, settings with { Point = point });
                    if (attempt is not null)
                    {
                        results.Add(contender, point, attempt);
                    }

                    log.WriteLine(Progress(race, settings, round, point, contender, attempt));
                }
            }
        }

        return results;
    }

    // Returns null if the contender is missing on this machine.
    private static Attempt? Try(Race race, Contender contender, RaceSettings settings)
    {
        ProcessCommand? command = contender.Command(race, settings);
        if (command is null)
        {
            return null;
        }

        // A machine without xargs lacks the contender.
        ProcessResult result;
        try
        {
            result = (command with { Timeout = settings.Patience, StopGrace = TimeSpan.Zero }).Run();
        }
        catch (ProcessStartException) when (contender.Kind != ContenderKind.Library)
        {
            return null;
        }

        if (result.Outcome == ProcessOutcome.TimedOut)
        {
            // An abandoned attempt is a result for a rival and a fault for the others.
            string? fault = contender.Kind == ContenderKind.Rival
                ? null
                : $"{contender.Name}: abandoned after {settings.Patience.TotalSeconds} s";
            return new Attempt(null, fault) { TimedOut = true };
        }

        Measurement values = Measurement.Parse(result.StandardOutput.Lines());
        if (!result.IsSuccess || values[Keys.Failures] > 0)
        {
            return new Attempt(null, Fault(contender, settings, result, values));
        }

        // Contenders that do not measure themselves are measured from outside.
        values[Keys.Wall] ??= result.RunTime.TotalMilliseconds;
        values[Keys.Children] ??= settings.Children;
        return new Attempt(values);
    }

    private static string Fault(Contender contender, RaceSettings settings, ProcessResult result, Measurement values) =>
        FormattableString.Invariant(
            $"{contender.Name} at point {settings.Point}: {result.Outcome}, exit code {result.ExitCode}, ")
        + FormattableString.Invariant(
            $"{values[Keys.Failures] ?? 0} children failed, {values[Keys.Bytes] ?? 0} bytes. ")
        + string.Join(' ', result.StandardError.Lines().TakeLast(3));

    private static string Progress(
        Race race, RaceSettings settings, int round, int point, Contender contender, Attempt? attempt)
    {
        string at = race.Sweep is null ? "" : $", {race.Sweep} {race.PointName(point)}";
        string outcome = attempt switch
        {
            null => "not on this machine",
            { TimedOut: true } => "abandoned",
            { Values: Measurement values } =>
                string.Join(
                    ", ",
                    race.Metrics.Take(3).Select(metric => $"{metric.Title} {metric.Format(metric.Value(values))}")),
            _ => $"FAILED: {attempt.Fault}",
        };
        return $"  {round}/{settings.Runs}{at}, {contender.Name}: {outcome}";
    }
}
