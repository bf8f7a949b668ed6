using System.CommandLine;

namespace ProcessRunner.Benchmarks.Commands;

/// <summary>Parses the command line of the benchmarks; benchmarks/README.md describes it.</summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        RootCommand root = new("Benchmarks of ProcessRunner: whole races, and single questions.")
        {
            RaceCommand.Create(), BenchCommand.Create(), SmokeCommand.Create(), ContendCommand.Create(),
        };
        return root.Parse(arguments).Invoke();
    }
}
