using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using ProcessRunner;

namespace PTest.Suites;

/// <summary>
/// Reads how a solution builds its projects: it can have another configuration and platform for each, or none. MSBuild
/// itself reports it, as it does to the projects, so that all kinds of solutions are read as they are built.
/// </summary>
internal static class SolutionMap
{
    // A solution imports this in the place of its own Directory.Solution.targets.
    private const string Targets = """
        <Project>
          <Target Name="PtestMap">
            <WriteLinesToFile File="$(PtestMapFile)" Overwrite="true"
                              Lines="$([MSBuild]::Escape($(CurrentSolutionConfigurationContents)))" />
          </Target>
        </Project>
        """;

    /// <summary>Gets the projects that are built, by their paths.</summary>
    /// <param name="path">The absolute path of the solution, or of a filter of one.</param>
    /// <param name="configuration">The configuration of the solution.</param>
    /// <exception cref="UsageException">It cannot be read, or has no such configuration.</exception>
    public static IReadOnlyDictionary<string, SolutionProject> Read(string path, string configuration)
    {
        string folder = ScratchFolder.Create("ptest-solution-");
        try
        {
            string targets = Path.Combine(folder, "map.targets");
            string map = Path.Combine(folder, "map.xml");
            File.WriteAllText(targets, Targets);
            ProcessResult result = new ProcessCommand(
                "dotnet",
                "msbuild",
                path,
                "-nologo",
                "-target:PtestMap",
                $"-p:Configuration={configuration}",
                $"-p:DirectorySolutionTargetsPath={targets}",
                $"-p:PtestMapFile={map}")
            {
                // Its servers serve the next one as well.
                Descendants = DescendantPolicy.Leave,
            }.Run();
            return result.IsSuccess ? Projects(XDocument.Load(map))
                : throw new UsageException($"{path} cannot be read: {result.StandardOutput.Text.Trim()}");
        }
        finally
        {
            ScratchFolder.Delete(folder);
        }
    }

    private static Dictionary<string, SolutionProject> Projects(XDocument map)
    {
        Dictionary<string, SolutionProject> projects = new(StringComparer.OrdinalIgnoreCase);
        foreach (XElement one in map.Root!.Elements("ProjectConfiguration")
            .Where(one => (bool?)one.Attribute("BuildProjectInSolution") != false))
        {
            // "Release|x64"
            string[] words = one.Value.Split('|');
            string file = Path.GetFullPath((string)one.Attribute("AbsolutePath")!);
            projects[file] = new SolutionProject(file, words[0], words.ElementAtOrDefault(1));
        }

        return projects;
    }
}
