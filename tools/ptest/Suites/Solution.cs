using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using ProcessRunner;
using PTest.Output;

namespace PTest.Suites;

/// <summary>Lists the projects of a solution, or of a filter of one (<c>.slnf</c>).</summary>
internal static class Solution
{
    private static readonly string[] s_extensions = [".sln", ".slnx", ".slnf"];

    public static bool Is(string path) => s_extensions.Contains(Path.GetExtension(path));

    /// <summary>Gets the projects. Those that the solution does not build are left out, with a message.</summary>
    /// <param name="path">The absolute path of the solution, or of a filter of one.</param>
    /// <param name="configuration">The configuration of the solution.</param>
    /// <exception cref="UsageException">The file is not a solution, or has no such configuration.</exception>
    public static IReadOnlyList<SolutionProject> Projects(string path, string configuration)
    {
        List<SolutionProject> projects = [];
        IReadOnlyList<string> files = Files(path);
        IReadOnlyDictionary<string, SolutionProject> built = SolutionMap.Read(path, configuration);
        foreach (string file in files)
        {
            if (built.TryGetValue(file, out SolutionProject? project))
            {
                projects.Add(project);
            }
            else
            {
                string name = Path.GetFileName(path);
                ErrorOutput.Write($"{file} is left out: {name} does not build it for {configuration}.");
            }
        }

        return projects;
    }

    private static IReadOnlyList<string> Files(string path)
    {
        (string folder, IEnumerable<string> names) = Path.GetExtension(path) == ".slnf" ? Chosen(path) : All(path);
        return
        [
            .. names.Select(name => name.Trim())
                .Where(Project.Is)
                .Select(name => Path.GetFullPath(name.Replace('\\', Path.DirectorySeparatorChar), folder)),
        ];
    }

    private static (string Folder, IEnumerable<string> Names) All(string path)
    {
        ProcessResult list = new ProcessCommand("dotnet", "sln", path, "list").Run();
        return list.IsSuccess ? (Path.GetDirectoryName(path)!, list.StandardOutput.Lines())
            : throw new UsageException($"{path} cannot be read: {list.StandardError.Text.Trim()}");
    }

    // The paths of the projects begin at the solution, and not at the filter.
    private static (string Folder, IEnumerable<string> Names) Chosen(string path)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllText(path));
            JsonElement solution = document.RootElement.GetProperty("solution");
            string whole = solution.GetProperty("path").GetString()!.Replace('\\', Path.DirectorySeparatorChar);
            string[] projects =
                [.. solution.GetProperty("projects").EnumerateArray().Select(project => project.GetString()!)];
            return (Path.GetDirectoryName(Path.GetFullPath(whole, Path.GetDirectoryName(path)!))!, projects);
        }
        catch (Exception exception)
            when (exception is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            throw new UsageException($"{path} is not a filter of a solution: {exception.Message}");
        }
    }
}
