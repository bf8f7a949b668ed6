using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Precompilation;

/// <summary>Represents the runtime that a process of a test assembly gets, and what it finds.</summary>
/// <param name="Version">The version of the runtime.</param>
/// <param name="Assemblies">The paths of the assemblies, those of the frameworks included.</param>
internal sealed record TargetRuntime(Version Version, IReadOnlyList<string> Assemblies)
{
    /// <summary>Asks a process of the assembly: only it knows which runtime it gets.</summary>
    /// <exception cref="UsageException">It gives no answer.</exception>
    public static TargetRuntime Of(TestAssembly assembly, HookHost host, string root)
    {
        WorkFolder folder = WorkFolder.Next(root);
        ProcessResult result = host.Ask(assembly, folder).Run();
        HostEvent? answer = HostEvent.ReadAll(folder.EventFile).FirstOrDefault(one => one.Event == EventNames.Runtime);
        return answer is { Test: string version, Output: string assemblies }
            ? new TargetRuntime(Version.Parse(version), assemblies.Split(Path.PathSeparator))
            : throw new UsageException($"--precompile: {assembly.Name} cannot be asked for its runtime: {result}");
    }
}
