using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using ProcessRunner;

namespace PTest.Suites;

/// <summary>Lists the projects of a solution, or of a filter of one (<c>.slnf</c>).</summary>
internal static class Solution
{
    private static readonly string[] s_extensions = [".sln", ".slnx", ".slnf"];

    public static bool Is(string path) => s_extensions.Contains(Path.GetExtension(path));

    /// <summary>Gets the absolute paths of the projects.</summary>
    /// <exception cref="UsageException">The file is no solution.</exception>
    public static IReadOnlyList<string> Projects(string path)
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
            throw new UsageException($"{path} is no filter of a solution: {exception.Message}");
        }
    }
}
