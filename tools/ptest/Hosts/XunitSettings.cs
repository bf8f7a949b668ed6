using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>
/// Reads what a project's xunit.runner.json says of names and data, which changes the list of tests, of their results,
/// and whether it lets collections run at the same time.
/// </summary>
internal static class XunitSettings
{
    // Its host takes it as a wish to run alone, too.
    private const string AloneOption = "xunit.execution.DisableParallelization=true";

    private static readonly Dictionary<string, string> s_options = new(StringComparer.OrdinalIgnoreCase)
    {
        ["failSkips"] = "xunit.execution.FailSkips",
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
        foreach (string file in (string[])[$"{assembly.FileName}.xunit.runner.json", "xunit.runner.json"])
        {
            string path = Path.Combine(assembly.Folder, file);
            if (File.Exists(path))
            {
                Dictionary<string, string> settings = Read(path);
                if (ForbidsParallelRuns(settings))
                {
                    options.Add(AloneOption);
                }

                options.AddRange(settings.Where(setting => s_options.ContainsKey(setting.Key))
                    .Select(setting => $"{s_options[setting.Key]}={Value(setting.Value)}"));
                if (settings.GetValueOrDefault("culture") is string culture and not "default")
                {
                    string name = culture == "invariant" ? "" : culture;
                    options.AddRange([$"xunit.discovery.Culture={name}", $"xunit.execution.Culture={name}"]);
                }

                break;
            }
        }

        return options;
    }

    private static Dictionary<string, string> Read(string path)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllText(path), s_lenient);

            // As to xunit, the case of a key says nothing, and of equal ones the last one counts.
            return document.RootElement.EnumerateObject()
                .Where(property => property.Value.ValueKind != JsonValueKind.Null)
                .GroupBy(property => property.Name, StringComparer.OrdinalIgnoreCase)
                .ToDictionary(
                    same => same.Key, same => same.Last().Value.ToString(), StringComparer.OrdinalIgnoreCase);
        }
        catch (Exception exception)
            when (exception is JsonException or InvalidOperationException or ArgumentException)
        {
            throw new UsageException($"{path} cannot be read: {exception.Message}");
        }
    }

    private static bool ForbidsParallelRuns(Dictionary<string, string> settings) =>
        Says(settings, "parallelizeTestCollections", "false") || Says(settings, "parallelMode", "none")
        || Says(settings, "maxParallelThreads", "1");

    private static bool Says(Dictionary<string, string> settings, string name, string value) =>
        settings.TryGetValue(name, out string? found) && found.Equals(value, StringComparison.OrdinalIgnoreCase);

    /// <summary>Writes the names of an enum as xunit parses them: with capitals, unlike in its file.</summary>
    private static string Value(string text) => string.Join(
        ", ", text.Split(',').Select(name => name.Trim()).Select(name =>
            name.Length == 0 ? name : char.ToUpperInvariant(name[0]) + name[1..]));
}
