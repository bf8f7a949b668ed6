using System;
using System.Collections.Generic;
using System.IO;

namespace ProcessRunner.Tests.Tools;

/// <summary>Runs the tool "batch" as its user runs it.</summary>
internal static class BatchProgram
{
    /// <summary>Gets the path of the program, which is beside the test's own assembly.</summary>
    public static string FilePath { get; } = Path.Combine(AppContext.BaseDirectory, "batch");

    public static ProcessCommand Command(params IEnumerable<string> arguments) => new(FilePath, arguments);

    public static ProcessResult Run(params IEnumerable<string> arguments) => Command(arguments).Run();

    public static ProcessResult RunWithInput(string input, params IEnumerable<string> arguments) =>
        (Command(arguments) with { StandardInput = InputSource.FromText(input) }).Run();
}
