using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Runs "dotnet ptest" as its user runs it, on the test projects that are made for it.</summary>
internal static partial class PTestProgram
{
    private static readonly string s_configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;

    public static string Hostile { get; } = Built("ProcessRunner.HostileTests", "ProcessRunner.HostileTests.dll");

    public static string HostileV3 { get; } = HostileBy("V3");

    public static string Many { get; } = Built("ProcessRunner.ManyTests", "ProcessRunner.ManyTests.dll");

    /// <summary>Gets the hostile suite of a test framework.</summary>
    public static string HostileBy(string framework) =>
        Built($"ProcessRunner.HostileTests.{framework}", $"ProcessRunner.HostileTests.{framework}.dll");

    /// <summary>Makes the command; the files of the run go to a folder.</summary>
    public static ProcessCommand Command(string folder, params IEnumerable<string> arguments) =>
        new ProcessCommand(Built("PTest", "dotnet-ptest"), arguments) { WorkingDirectory = folder }
            .WithEnvironment("XDG_CACHE_HOME", folder)
            .WithEnvironment("HOSTILE_STATE", folder);

    /// <summary>Runs a command line at a terminal of a number of columns, and gives what the terminal gets.</summary>
    public static ProcessResult InTerminal(string folder, int columns, string commandLine) =>
        new ProcessCommand(
            "script", "--quiet", "--return", "--command", $"stty cols {columns} rows 20; {commandLine}", "/dev/null")
        {
            WorkingDirectory = folder,
        }
            .WithEnvironment("TERM", "xterm").WithEnvironment("XDG_CACHE_HOME", folder)
            .WithEnvironment("COLUMNS", null).Run();

    /// <summary>Gets what a run with -v has told of tests, each as NAME VERDICT, in the order of the names.</summary>
    /// <param name="run">The run.</param>
    /// <param name="prefix">What all names begin with, which is left out.</param>
    public static IReadOnlyList<string> Verdicts(ProcessResult run, string prefix) =>
    [
        .. run.StandardOutput.Lines()
            .Select(line => TestLine().Match(line))
            .Where(match => match.Success)
            .Select(match => $"{match.Groups["name"].Value[prefix.Length..]} {match.Groups["verdict"]}")
            .Order(StringComparer.Ordinal),
    ];

    // "PASS [ 0.001 s] ASSEMBLY NAME (attempt 2)"
    [GeneratedRegex(@"^ *(?<verdict>[A-Z-]+) \[ *[0-9.]+ s\] \S+ (?<name>.*?)( \(attempt \d+\))?$")]
    private static partial Regex TestLine();

    /// <summary>Gets the path of a file of another project's build.</summary>
    public static string Built(string project, string file) => Path.GetFullPath(
        Path.Combine(AppContext.BaseDirectory, "..", "..", project, s_configuration, file));
}
