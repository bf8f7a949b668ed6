using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json.Nodes;

namespace PTest.Precompilation;

/// <summary>
/// Represents the deps.json of a test assembly, which tells the runtime what there is to load. The runtime asks for an
/// assembly that is not in it once it is needed, which is how a precompiled one takes its place.
/// </summary>
internal sealed class DependencyFile
{
    private readonly JsonNode _root;

    private DependencyFile(JsonNode root) => _root = root;

    /// <summary>Reads the file of an assembly.</summary>
    /// <returns>The file, or null if there is none that can be read.</returns>
    public static DependencyFile? Of(string assembly)
    {
        string path = Path.ChangeExtension(assembly, ".deps.json");
        try
        {
            return File.Exists(path) && JsonNode.Parse(File.ReadAllText(path)) is JsonNode root
                ? new DependencyFile(root)
                : null;
        }
        catch (System.Text.Json.JsonException)
        {
            return null;
        }
    }

    /// <summary>
    /// Gets the file names of the assemblies that come from packages. Others belong to the projects of the user: they
    /// change with each build, and their tests may look for files beside them.
    /// </summary>
    public IReadOnlySet<string> PackageFiles => new HashSet<string>(
        Assets((library, _, file) => IsPackage(library) ? file : null)
            .OfType<string>(),
        StringComparer.OrdinalIgnoreCase);

    /// <summary>Gets the file names of all assemblies.</summary>
    public IReadOnlySet<string> Files =>
        new HashSet<string>(Assets((_, _, file) => file).OfType<string>(), StringComparer.OrdinalIgnoreCase);

    /// <summary>Makes the text of a file without some assemblies.</summary>
    public string Without(IReadOnlySet<string> files)
    {
        DependencyFile copy = new(_root.DeepClone());
        foreach (Action? remove in copy.Assets((_, asset, file) => files.Contains(file) ? asset : null).ToArray())
        {
            remove?.Invoke();
        }

        return copy._root.ToJsonString();
    }

    private bool IsPackage(string library) =>
        _root["libraries"]?[library]?["type"]?.GetValue<string>() == "package";

    /// <summary>Goes through the assemblies of all libraries.</summary>
    private IEnumerable<T?> Assets<T>(Func<string, Action, string, T?> select)
    {
        foreach ((_, JsonNode? target) in _root["targets"]?.AsObject() ?? [])
        {
            foreach ((string library, JsonNode? parts) in target!.AsObject())
            {
                if (parts?["runtime"] is JsonObject runtime)
                {
                    foreach ((string asset, _) in runtime)
                    {
                        yield return select(library, () => runtime.Remove(asset), Path.GetFileName(asset));
                    }
                }
            }
        }
    }
}
