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
    private const string TestingPlatform = "Microsoft.Testing.Platform";

    // The assemblies that tests of the other frameworks refer to.
    private static readonly Dictionary<string, string> s_frameworks = new()
    {
        ["nunit.framework"] = "NUnit",
        ["MSTest.TestFramework"] = "MSTest",
        ["Microsoft.VisualStudio.TestPlatform.TestFramework"] = "MSTest",
    };

    /// <summary>Finds the host of an assembly.</summary>
    /// <exception cref="UsageException">No host can run it.</exception>
    public static TestAssembly Find(string path)
    {
        string folder = Path.GetDirectoryName(path)!;
        if (!File.Exists(Path.ChangeExtension(path, ".runtimeconfig.json")))
        {
            throw new UsageException($"{path} is not a test project for .NET: it has no runtimeconfig.json beside it.");
        }

        try
        {
            return Found(path, folder);
        }
        catch (BadImageFormatException exception)
        {
            throw new UsageException($"{path} or its test framework is not an assembly: {exception.Message}");
        }
    }

    private static TestAssembly Found(string path, string folder)
    {
        // In a folder that projects share, the framework of another one may lie beside the assembly.
        IReadOnlySet<string>? own = DependencyFile.Of(path)?.Files;
        bool Has(string file) => File.Exists(Path.Combine(folder, file)) && own?.Contains(file) != false;
        HookHost[] hooks =
            [.. ((HookHost[])[new Xunit3Hook(), new Xunit2Hook()]).Where(one => Has(one.FrameworkFile))];
        foreach (HookHost hook in hooks)
        {
            hook.CheckVersion(path);
        }

        Lazy<IReadOnlySet<string>> references = new(() => References(path));
        bool hasAdapter = Directory.EnumerateFiles(folder, "*TestAdapter.dll")
            .Any(file => hooks.Length == 0 || !Path.GetFileName(file).StartsWith("xunit", StringComparison.Ordinal));

        // The platform's files alone prove nothing: MSTest brings them along even if vstest runs the project. A program
        // of xunit v3 may be one of the platform, too.
        bool isProgram = (hooks.Length == 0 || File.Exists(Path.Combine(folder, $"{TestingPlatform}.dll")))
            && (hasAdapter || hooks is not [Xunit3Hook, ..])
            && references.Value.Contains(TestingPlatform);
        TestHost? last = isProgram ? new MtpProgram() : hasAdapter ? new VSTestHost() : null;
        TestHost[] hosts = last is null ? hooks : [.. hooks, last];
        return hosts.Length == 0
            ? throw new UsageException($"{path} has no test framework that this version knows.")
            : new TestAssembly(path, hosts[0])
            {
                NextHosts = hosts[1..],
                OtherFramework = hooks.Length > 0 && hasAdapter
                    ? s_frameworks.FirstOrDefault(one => references.Value.Contains(one.Key)).Value
                    : null,
            };
    }

    /// <summary>Gets the names of the assemblies that an assembly itself refers to.</summary>
    private static HashSet<string> References(string path)
    {
        using FileStream file = File.OpenRead(path);
        using PEReader image = new(file);
        MetadataReader metadata = image.GetMetadataReader();
        return
        [
            .. metadata.AssemblyReferences.Select(reference =>
                metadata.GetString(metadata.GetAssemblyReference(reference).Name)),
        ];
    }
}
