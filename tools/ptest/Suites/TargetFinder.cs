using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using ProcessRunner;
using PTest.Hosts;

namespace PTest.Suites;

/// <summary>Turns what a user names (a project, a solution, a folder, an assembly) into test assemblies.</summary>
/// <param name="configuration">The configuration to build and to run.</param>
/// <param name="framework">The only target framework to build and to run, or null for all.</param>
/// <param name="builds">Whether projects are built.</param>
internal sealed class TargetFinder(string configuration, string? framework, bool builds)
{
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

        if (Solution.Is(path))
        {
            Build(path);
            return AssembliesOf(Solution.Projects(path, configuration));
        }

        if (Project.Is(path))
        {
            Build(path);
            return Assemblies(new SolutionProject(path, configuration)) is { Count: > 0 } assemblies ? assemblies
                : throw new UsageException(framework is null ? $"{path} is not a test project."
                    : $"{path} is not a test project for {framework}.");
        }

        return [HostFinder.Find(AssemblyOf(path))];
    }

    /// <summary>Gets the assembly of a program: the name of a program may have dots, and no extension.</summary>
    private static string AssemblyOf(string path) => Path.GetExtension(path) switch
    {
        ".dll" => path,
        ".exe" => Path.ChangeExtension(path, ".dll"),
        _ when File.Exists($"{path}.dll") => $"{path}.dll",
        _ => throw new UsageException($"{path} is neither a test project nor a program of one."),
    };

    private static string OnlyProject(string folder)
    {
        string[] files = [.. Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal)];
        string[] found = [.. files.Where(Solution.Is)];
        if (found.Length == 0)
        {
            found = [.. files.Where(Project.Is)];
        }

        return found.Length switch
        {
            0 => throw new UsageException($"there is no project and no solution in {folder}."),
            1 => found[0],
            _ => throw new UsageException($"{folder} has {found.Length} projects or solutions. Name one of them."),
        };
    }

    private IReadOnlyList<TestAssembly> AssembliesOf(IReadOnlyList<SolutionProject> projects)
    {
        try
        {
            return [.. projects.AsParallel().AsOrdered().SelectMany(Assemblies)];
        }
        catch (AggregateException exception)
        {
            ExceptionDispatchInfo.Throw(exception.InnerExceptions[0]);
            throw;
        }
    }

    private IReadOnlyList<TestAssembly> Assemblies(SolutionProject project) =>
        new Project(project, framework).Assemblies();

    private void Build(string path)
    {
        if (!builds)
        {
            return;
        }

        string[] only = framework is null ? [] : ["--framework", framework];
        ProcessResult result = new ProcessCommand(
            "dotnet", ["build", path, "-c", configuration, "-v", "quiet", "--nologo", .. only])
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
}
