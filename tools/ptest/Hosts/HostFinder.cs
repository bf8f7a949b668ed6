using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using PTest.Hosts.Mtp;
using PTest.Precompilation;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>Finds the way to run an assembly by its files beside it, and by what it refers to.</summary>
internal static class HostFinder
{
    private const string Platform = "Microsoft.Testing.Platform";

    /// <summary>Finds the host of an assembly.</summary>
    /// <exception cref="UsageException">No host can run it.</exception>
    public static TestAssembly Find(string path)
    {
        string folder = Path.GetDirectoryName(path)!;
        if (!File.Exists(Path.ChangeExtension(path, ".runtimeconfig.json")))
        {
            throw new UsageException($"{path} is no test project for .NET: it has no runtimeconfig.json beside it.");
        }

        try
        {
            return new TestAssembly(path, Host(path, folder));
        }
        catch (BadImageFormatException exception)
        {
            throw new UsageException($"{path} or its test framework is no assembly: {exception.Message}");
        }
    }

    private static TestHost Host(string path, string folder)
    {
        // In a folder that projects share, the framework of another one may lie beside the assembly.
        IReadOnlySet<string>? own = DependencyFile.Of(path)?.Files;
        bool Has(string file) => File.Exists(Path.Combine(folder, file)) && own?.Contains(file) != false;
        HookHost[] hooks = [new Xunit3Hook(), new Xunit2Hook()];
        HookHost? hook = hooks.FirstOrDefault(one => Has(one.FrameworkFile));
        if (hook is not null)
        {
            hook.CheckVersion(path);
            return hook;
        }

        return RefersToPlatform(path) ? new MtpProgram()
            : Directory.EnumerateFiles(folder, "*TestAdapter.dll").Any() ? new VSTestHost()
            : throw new UsageException($"{path} has no test framework that this version knows.");
    }

    /// <summary>
    /// Returns whether the entry point of an assembly is the platform's. The platform's files alone do not tell: MSTest
    /// brings them along even if vstest runs the project.
    /// </summary>
    private static bool RefersToPlatform(string path)
    {
        using FileStream file = File.OpenRead(path);
        using PEReader image = new(file);
        MetadataReader metadata = image.GetMetadataReader();
        return metadata.AssemblyReferences
            .Select(reference => metadata.GetAssemblyReference(reference))
            .Any(reference => metadata.StringComparer.Equals(reference.Name, Platform));
    }
}
