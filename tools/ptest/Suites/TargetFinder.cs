using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using ProcessRunner;
using PTest.Hosts;

namespace PTest.Suites;

/// <summary>Turns what a user names (a project, a solution, a folder, an assembly) into test assemblies.</summary>
internal sealed class TargetFinder(string configuration, bool builds)
{
    private static readonly string[] s_projects = [".csproj", ".fsproj", ".vbproj"];
    private static readonly string[] s_solutions = [".sln", ".slnx"];

    /// <summary>Finds the assemblies of targets, and builds projects unless that is switched off.</summary>
    /// <exception cref="UsageException">There are none, or a build fails.</exception>
    public IReadOnlyList<TestAssembly> Find(IReadOnlyList<string> targets)
    {
        List<TestAssembly> found = [];
        foreach (string target in targets.Count > 0 ? targets : [Directory.GetCurrentDirectory()])
        {
            found.AddRange(target.Length > 0 ? Find(Path.GetFullPath(target))
                : throw new UsageException("an empty text names no project."));
        }

        return found.Count > 0 ? [.. found.DistinctBy(assembly => assembly.FilePath)]
            : throw new UsageException("there is no test project. 'dotnet ptest PROJECT' names one.");
    }

    private IReadOnlyList<TestAssembly> Find(string path)
    {
        if (Directory.Exists(path))
        {
            path = OnlyProject(path);
        }

        if (!File.Exists(path))
        {
            throw new UsageException($"{path} does not exist.");
        }

        string extension = Path.GetExtension(path);
        if (s_solutions.Contains(extension))
        {
            Build(path);
            return [.. Projects(path).AsParallel().AsOrdered().Select(Assembly).OfType<TestAssembly>()];
        }

        if (s_projects.Contains(extension))
        {
            Build(path);
            return Assembly(path) is TestAssembly assembly ? [assembly]
                : throw new UsageException($"{path} is no test project.");
        }

        return [HostFinder.Find(AssemblyOf(path))];
    }

    /// <summary>Gets the assembly of a program: the name of a program may have dots, and no extension.</summary>
    private static string AssemblyOf(string path) => Path.GetExtension(path) switch
    {
        ".dll" => path,
        ".exe" => Path.ChangeExtension(path, ".dll"),
        _ when File.Exists($"{path}.dll") => $"{path}.dll",
        _ => throw new UsageException($"{path} is no test project, and no program of one."),
    };

    private static string OnlyProject(string folder)
    {
        string[] files = [.. Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal)];
        string[] found = [.. files.Where(file => s_solutions.Contains(Path.GetExtension(file)))];
        if (found.Length == 0)
        {
            found = [.. files.Where(file => s_projects.Contains(Path.GetExtension(file)))];
        }

        return found.Length == 1 ? found[0]
            : throw new UsageException($"{folder} has {found.Length} projects or solutions. Name one of them.");
    }

    private void Build(string path)
    {
        if (!builds)
        {
            return;
        }

        ProcessResult result = new ProcessCommand(
            "dotnet", "build", path, "-c", configuration, "-v", "quiet", "--nologo")
        {
            StandardOutput = OutputTarget.Inherit,
            StandardError = OutputTarget.Inherit,

            // The servers of a build serve the next one as well.
            Descendants = DescendantPolicy.Leave,
        }.Run();
        if (!result.IsSuccess)
        {
            throw new UsageException($"the build of {path} failed.");
        }
    }

    private static IReadOnlyList<string> Projects(string solution)
    {
        string folder = Path.GetDirectoryName(solution)!;
        return
        [
            .. new ProcessCommand("dotnet", "sln", solution, "list").Run().EnsureSuccess().StandardOutput.Lines()
                .Select(line => line.Trim())
                .Where(line => s_projects.Contains(Path.GetExtension(line)))
                .Select(line => Path.Combine(folder, line.Replace('\\', Path.DirectorySeparatorChar))),
        ];
    }

    private TestAssembly? Assembly(string project)
    {
        ProcessResult result = new ProcessCommand(
            "dotnet", "msbuild", project, $"-p:Configuration={configuration}", "-nologo",
            "-getProperty:TargetPath", "-getProperty:IsTestProject", "-getProperty:IsTestingPlatformApplication").Run();
        if (!result.IsSuccess)
        {
            throw new UsageException($"{project} cannot be read: {result.StandardOutput.Text.Trim()}");
        }

        using JsonDocument document = JsonDocument.Parse(result.StandardOutput.Text);
        JsonElement properties = document.RootElement.GetProperty("Properties");
        bool Is(string name) =>
            properties.GetProperty(name).GetString()?.Equals("true", StringComparison.OrdinalIgnoreCase) == true;
        if (!Is("IsTestProject") && !Is("IsTestingPlatformApplication"))
        {
            return null;
        }

        string path = properties.GetProperty("TargetPath").GetString()!;
        return File.Exists(path) ? HostFinder.Find(path)
            : throw new UsageException($"{path} does not exist. Build the project first, or leave out --no-build.");
    }
}
