using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace ProcessRunner.Tests.Support;

/// <summary>Reads the sources that this test was built from.</summary>
internal static class Repository
{
    /// <summary>Gets the directory with the solution.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>Gets the directory of the library.</summary>
    public static string Library => Path.Combine(Root, "src", "ProcessRunner");

    /// <summary>Gets every C# file below a directory of the library, by its path from there.</summary>
    public static IReadOnlyList<string> Sources(params string[] directory) =>
        [.. Directory.EnumerateFiles(Path.Combine([Library, .. directory]), "*.cs", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Library, path))
            .Order(StringComparer.Ordinal)];

    /// <summary>Reads the lines of a file of the library.</summary>
    public static string[] Lines(string source) => File.ReadAllLines(Path.Combine(Library, source));

    /// <summary>Gets the names of the guides in <c>docs</c>.</summary>
    public static IReadOnlyList<string> Guides =>
        [.. Directory.GetFiles(Path.Combine(Root, "docs"), "*.md").Select(file => Path.GetFileName(file)).Order()];

    /// <summary>Reads a file of the repository.</summary>
    public static string Read(params string[] path) => File.ReadAllText(Path.Combine([Root, .. path]));

    private static string FindRoot()
    {
        string? directory = AppContext.BaseDirectory;
        while (directory is not null && !File.Exists(Path.Combine(directory, "ProcessRunner.sln")))
        {
            directory = Path.GetDirectoryName(directory);
        }

        return directory ?? throw new DirectoryNotFoundException("The tests run outside the repository.");
    }
}
