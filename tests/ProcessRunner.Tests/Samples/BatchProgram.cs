using System;
using System.Collections.Generic;
using System.IO;

namespace ProcessRunner.Tests.Samples;

/// <summary>The sample program "batch", run as its user runs it.</summary>
internal static class BatchProgram
{
    /// <summary>Stands beside the test's own assembly.</summary>
    public static string FilePath { get; } = Path.Combine(AppContext.BaseDirectory, "batch");

    public static ProcessCommand Command(params IEnumerable<string> arguments) => new(FilePath, arguments);

    public static ProcessResult Run(params IEnumerable<string> arguments) => Command(arguments).Run();

    public static ProcessResult RunWithInput(string input, params IEnumerable<string> arguments) =>
        (Command(arguments) with { StandardInput = InputSource.FromText(input) }).Run();
}
