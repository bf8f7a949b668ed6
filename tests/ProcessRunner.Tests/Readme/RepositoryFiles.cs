using System;
using System.IO;
using System.Linq;

namespace ProcessRunner.Tests.Readme;

/// <summary>Reads files of the working copy that this test was built in.</summary>
internal static class RepositoryFiles
{
    private static readonly string s_root = FindRoot();

    /// <summary>Gets the names of the files in <c>docs</c>.</summary>
    public static string[] Guides =>
        [.. Directory.GetFiles(Path.Combine(s_root, "docs"), "*.md").Select(file => Path.GetFileName(file)).Order()];

    public static string Read(params string[] path) => File.ReadAllText(Path.Combine([s_root, .. path]));

    private static string FindRoot()
    {
        DirectoryInfo? directory = new(AppContext.BaseDirectory);
        while (directory is not null && !File.Exists(Path.Combine(directory.FullName, "ProcessRunner.sln")))
        {
            directory = directory.Parent;
        }

        return directory?.FullName
            ?? throw new DirectoryNotFoundException($"No ProcessRunner.sln above {AppContext.BaseDirectory}.");
    }
}
