using System;
using System.Collections.Generic;
using System.IO;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Runs "dotnet ptest" as its user runs it, on the test projects that are made for it.</summary>
internal static class PTestProgram
{
    private static readonly string s_configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;

    public static string Hostile { get; } = Built("ProcessRunner.HostileTests", "ProcessRunner.HostileTests.dll");

    public static string Many { get; } = Built("ProcessRunner.ManyTests", "ProcessRunner.ManyTests.dll");

    /// <summary>Makes the command; the files of the run go to a folder.</summary>
    public static ProcessCommand Command(string folder, params IEnumerable<string> arguments) =>
        new ProcessCommand(Built("PTest", "dotnet-ptest"), arguments) { WorkingDirectory = folder }
            .WithEnvironment("XDG_CACHE_HOME", folder)
            .WithEnvironment("HOSTILE_STATE", folder);

    private static string Built(string project, string file) => Path.GetFullPath(
        Path.Combine(AppContext.BaseDirectory, "..", "..", project, s_configuration, file));
}
