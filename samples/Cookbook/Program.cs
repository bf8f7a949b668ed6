using System;
using System.Collections.Generic;
using System.IO;

namespace Cookbook;

/// <summary>Runs the recipe whose name is the argument; without one, lists the recipes.</summary>
internal static class Program
{
    private static readonly SortedDictionary<string, Action<TextWriter>> s_recipes = new()
    {
        [nameof(GitStatus)] = GitStatus.Run,
        [nameof(Progress)] = Progress.Run,
        [nameof(Dialogue)] = Dialogue.Run,
        [nameof(GzipPipeline)] = GzipPipeline.Run,
        [nameof(Compilers)] = Compilers.Run,
        [nameof(JUnitReport)] = JUnitReport.Run,
        [nameof(Server)] = Server.Run,
        [nameof(Secrets)] = Secrets.Run,
        [nameof(Binary)] = Binary.Run,
        [nameof(TimeLimit)] = TimeLimit.Run,
        [nameof(Cancel)] = Cancel.Run,
        [nameof(Retry)] = Retry.Run,
        [nameof(LogFile)] = LogFile.Run,
        [nameof(Variables)] = Variables.Run,
        [nameof(Directory)] = Directory.Run,
        [nameof(ExitCodes)] = ExitCodes.Run,
        [nameof(LargeOutput)] = LargeOutput.Run,
        [nameof(OnlyTheExitCode)] = OnlyTheExitCode.Run,
        [nameof(FirstMatch)] = FirstMatch.Run,
        [nameof(FirstAnswer)] = FirstAnswer.Run,
        [nameof(Filter)] = Filter.Run,
        [nameof(ParallelLoop)] = ParallelLoop.Run,
        [nameof(Tracing)] = Tracing.Run,
    };

    static Program()
    {
        if (OperatingSystem.IsLinux())
        {
            s_recipes.Add(nameof(UserAndNice), UserAndNice.Run);
        }
    }

    private static int Main(string[] arguments)
    {
        if (arguments.Length != 1 || !s_recipes.TryGetValue(arguments[0], out Action<TextWriter>? recipe))
        {
            Console.Error.WriteLine($"The recipes: {string.Join(", ", s_recipes.Keys)}");
            return 2;
        }

        recipe(Console.Out);
        return 0;
    }
}
