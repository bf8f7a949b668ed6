using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using ProcessRunner;
using PTest.Hosts;
using PTest.Output;

namespace PTest.Suites;

/// <summary>Reads which test assemblies a project makes: one for each of its target frameworks.</summary>
/// <param name="project">The project, with the configuration and the platform that are built.</param>
/// <param name="framework">The only target framework that counts, or null for all.</param>
internal sealed class Project(SolutionProject project, string? framework)
{
    private const string Core = ".NETCoreApp";

    private static readonly string[] s_extensions = [".csproj", ".fsproj", ".vbproj"];

    private static readonly string[] s_properties =
    [
        "IsTestProject", "IsTestingPlatformApplication", "TargetFramework", "TargetFrameworkIdentifier",
        "TargetFrameworks", "TargetPath", "TargetPlatformIdentifier",
    ];

    public static bool Is(string path) => s_extensions.Contains(Path.GetExtension(path));

    /// <summary>Gets the test assemblies. Those that cannot run on this system are left out, with a message.</summary>
    /// <exception cref="UsageException">The project cannot be read, or has not been built.</exception>
    public IReadOnlyList<TestAssembly> Assemblies()
    {
        Dictionary<string, string> properties = Evaluate(null);
        string only = properties["TargetFramework"];
        string[] all = only.Length > 0 ? [only]
            : properties["TargetFrameworks"]
                .Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return
        [
            .. all.Where(Counts).Select(one => Assembly(one, only.Length > 0 ? properties : Evaluate(one)))
                .OfType<TestAssembly>()
                .Select(assembly => all.Length > 1 ? assembly : assembly with { Framework = null }),
        ];
    }

    private bool Counts(string name) =>
        framework is null || name.Equals(framework, StringComparison.OrdinalIgnoreCase);

    private TestAssembly? Assembly(string name, Dictionary<string, string> properties)
    {
        if (!Says(properties, "IsTestProject") && !Says(properties, "IsTestingPlatformApplication"))
        {
            return null;
        }

        if (!RunsHere(properties))
        {
            ErrorOutput.Write($"{project.FilePath} is left out for {name}, which does not run on this system.");
            return null;
        }

        string assembly = properties["TargetPath"];
        return File.Exists(assembly) ? HostFinder.Find(assembly) with { Framework = name }
            : throw new UsageException($"{assembly} does not exist. Build the project first, or leave out --no-build.");
    }

    private static bool Says(Dictionary<string, string> properties, string name) =>
        properties[name].Equals("true", StringComparison.OrdinalIgnoreCase);

    private static bool RunsHere(Dictionary<string, string> properties) =>
        properties["TargetFrameworkIdentifier"] == Core
        && (properties["TargetPlatformIdentifier"] is not { Length: > 0 } system
            || OperatingSystem.IsOSPlatform(system));

    private Dictionary<string, string> Evaluate(string? name)
    {
        List<string> arguments =
            ["msbuild", project.FilePath, "-nologo", $"-p:Configuration={project.Configuration}"];
        if (project.Platform is string platform)
        {
            arguments.Add($"-p:Platform={platform}");
        }

        if (name is not null)
        {
            arguments.Add($"-p:TargetFramework={name}");
        }

        ProcessResult result = new ProcessCommand(
            "dotnet", [.. arguments, .. s_properties.Select(property => $"-getProperty:{property}")]).Run();
        if (!result.IsSuccess)
        {
            throw new UsageException($"{project.FilePath} cannot be read: {result.StandardOutput.Text.Trim()}");
        }

        using JsonDocument document = JsonDocument.Parse(result.StandardOutput.Text);
        return document.RootElement.GetProperty("Properties").EnumerateObject()
            .ToDictionary(property => property.Name, property => property.Value.GetString()!);
    }
}
