using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>
/// Reads what a project's xunit.runner.json says of names and data, which changes the list of tests, and whether it
/// lets collections run at the same time.
/// </summary>
internal static class XunitSettings
{
    // Its host takes it as a wish to run alone, too.
    private const string AloneOption = "xunit.execution.DisableParallelization=true";

    private static readonly Dictionary<string, string> s_options = new()
    {
        ["methodDisplay"] = "xunit.discovery.MethodDisplay",
        ["methodDisplayOptions"] = "xunit.discovery.MethodDisplayOptions",
        ["preEnumerateTheories"] = "xunit.discovery.PreEnumerateTheories",
    };

    private static readonly JsonDocumentOptions s_lenient =
        new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };

    /// <summary>Gets the options of the framework, each as <c>name=value</c>.</summary>
    public static IReadOnlyList<string> Options(TestAssembly assembly)
    {
        List<string> options = [];
        foreach (string name in (string[])[$"{assembly.FileName}.xunit.runner.json", "xunit.runner.json"])
        {
            string path = Path.Combine(assembly.Folder, name);
            if (File.Exists(path))
            {
                using JsonDocument document = JsonDocument.Parse(File.ReadAllText(path), s_lenient);
                if (ForbidsParallelRuns(document.RootElement))
                {
                    options.Add(AloneOption);
                }

                foreach (JsonProperty property in document.RootElement.EnumerateObject())
                {
                    if (s_options.TryGetValue(property.Name, out string? option))
                    {
                        options.Add($"{option}={Value(property.Value.ToString())}");
                    }
                }

                break;
            }
        }

        return options;
    }

    private static bool ForbidsParallelRuns(JsonElement settings) =>
        Says(settings, "parallelizeTestCollections", "false") || Says(settings, "parallelMode", "none")
        || Says(settings, "maxParallelThreads", "1");

    private static bool Says(JsonElement settings, string name, string value) =>
        settings.TryGetProperty(name, out JsonElement found)
        && found.ToString().Equals(value, StringComparison.OrdinalIgnoreCase);

    /// <summary>Writes the names of an enum as xunit parses them: with capitals, unlike in its file.</summary>
    private static string Value(string text) => string.Join(
        ", ", text.Split(',').Select(name => name.Trim()).Select(name =>
            name.Length == 0 ? name : char.ToUpperInvariant(name[0]) + name[1..]));
}
