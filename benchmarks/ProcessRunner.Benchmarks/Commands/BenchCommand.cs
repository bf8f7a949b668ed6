using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Linq;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProcessRunner.Benchmarks.Questions;
using ProcessRunner.Benchmarks.Reports;

namespace ProcessRunner.Benchmarks.Commands;

/// <summary>Runs the BenchmarkDotNet classes and passes unknown arguments on to BenchmarkDotNet.</summary>
internal static class BenchCommand
{
    private const string Name = "bench";

    // BenchmarkDotNet's default of a hundred iterations does not make a machine that runs processes any quieter.
    private const int MostIterations = 20;

    private static readonly Option<bool> s_quick = new("--quick")
    {
        Description = "Every benchmark once, in this process: proves that they work, and measures nothing.",
    };

    private static readonly Option<bool> s_short = new("--short")
    {
        Description = "Three iterations instead of fifteen to twenty.",
    };

    public static Command Create()
    {
        Command command = new(
            Name, "Single questions, by BenchmarkDotNet. Other options are its own: --filter '*Capture*', --list flat.")
        {
            s_quick, s_short,
        };
        command.TreatUnmatchedTokensAsErrors = false;
        command.SetAction(parsed => Run(parsed.UnmatchedTokens, Config(parsed), IsWhole(parsed)) ? 0 : 1);
        return command;
    }

    /// <param name="arguments">The arguments of BenchmarkDotNet.</param>
    /// <param name="config">The configuration that runs the questions.</param>
    /// <param name="isWhole">True to ask every question in full, so that the answers are results.</param>
    /// <returns>True if every benchmark ran, and every byte and exit code was right.</returns>
    public static bool Run(IReadOnlyList<string> arguments, IConfig config, bool isWhole = false)
    {
        string[] passedOn = arguments.Count == 0 ? ["--filter", "*"] : [.. arguments];
        Summary[] summaries =
        [
            .. BenchmarkSwitcher.FromAssembly(typeof(BenchCommand).Assembly)
                .Run(passedOn, config),
        ];
        bool onlyLists = arguments.Any(argument => argument.StartsWith("--list", StringComparison.Ordinal));
        bool succeeded = onlyLists || (summaries.Length > 0
            && summaries.All(summary => !summary.HasCriticalValidationErrors
                && summary.Reports.Length > 0
                && summary.Reports.All(report => report.Success)));
        if (isWhole && succeeded)
        {
            QuestionReport.Write(summaries, $"{RaceCommand.Program} {Name}");
        }

        return succeeded;
    }

    private static bool IsWhole(ParseResult parsed) =>
        parsed.UnmatchedTokens.Count == 0 && !parsed.GetValue(s_quick) && !parsed.GetValue(s_short);

    private static IConfig Config(ParseResult parsed) => parsed.GetValue(s_quick)
        ? QuestionConfig.Quick
        : QuestionConfig.Of(
            parsed.GetValue(s_short) ? Job.ShortRun : Job.Default.WithMaxIterationCount(MostIterations));
}
