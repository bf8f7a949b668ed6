using System.Collections.Generic;

namespace PTest.Precompilation;

/// <summary>Represents what the processes of a test assembly load in the place of its own files.</summary>
/// <param name="DependencyFile">The path of a deps.json without the assemblies that are replaced.</param>
/// <param name="Hook">The path of the startup hook.</param>
/// <param name="Paths">The paths of the assemblies by their names.</param>
internal sealed record PrecompiledAssemblies(
    string DependencyFile, string Hook, IReadOnlyDictionary<string, string> Paths);
