using System;
using System.IO;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>Locates directories in the clone that the benchmarks were built from.</summary>
internal static class Repository
{
    private const string Landmark = "ProcessRunner.sln";

    public static string Root { get; } = Find();

    /// <summary>Gets the directory for the output of the quick forms, which is not committed.</summary>
    public static string Artifacts { get; } = Path.Combine(Root, "artifacts", "benchmarks");

    /// <summary>Gets the directory of the committed results.</summary>
    public static string Results { get; } = Path.Combine(Root, "benchmarks", "results");

    private static string Find()
    {
        string? directory = AppContext.BaseDirectory;
        while (directory is not null && !File.Exists(Path.Combine(directory, Landmark)))
        {
            directory = Path.GetDirectoryName(directory);
        }

        return directory ?? throw new DirectoryNotFoundException(
            $"There is no {Landmark} above {AppContext.BaseDirectory}.");
    }
}
