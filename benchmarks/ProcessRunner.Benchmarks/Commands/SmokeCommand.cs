using System;
using System.CommandLine;
using ProcessRunner.Benchmarks.Questions;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Commands;

/// <summary>Runs every race and every benchmark in a size that proves that they work. No timing decides.</summary>
internal static class SmokeCommand
{
    public static Command Create()
    {
        Command command =
            new("smoke", "Every race and every benchmark, once and small; fails if a byte or an exit code is wrong.");
        command.SetAction(_ => Run());
        return command;
    }

    private static int Run()
    {
        bool succeeded = true;
        foreach (Race race in Race.All)
        {
            succeeded &= RaceCommand.Run(race, race.Quick, race.Contenders, "-- smoke", RaceCommand.QuickResults);
        }

        succeeded &= BenchCommand.Run([], QuestionConfig.Quick);
        Console.WriteLine(succeeded ? "smoke: every byte and every exit code was right." : "smoke: FAILED.");
        return succeeded ? 0 : 1;
    }
}
