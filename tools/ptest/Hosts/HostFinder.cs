using System.IO;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>Finds the way to run an assembly by the files beside it.</summary>
internal static class HostFinder
{
    /// <summary>Finds the host of an assembly.</summary>
    /// <exception cref="UsageException">No host can run it.</exception>
    public static TestAssembly Find(string path)
    {
        string folder = Path.GetDirectoryName(path)!;
        if (!File.Exists(Path.ChangeExtension(path, ".runtimeconfig.json")))
        {
            throw new UsageException($"{path} is no test project for .NET: it has no runtimeconfig.json beside it.");
        }

        bool Has(string file) => File.Exists(Path.Combine(folder, file));
        return Has("xunit.v3.core.dll") ? new TestAssembly(path, new Xunit3Hook())
            : Has("xunit.execution.dotnet.dll") ? new TestAssembly(path, new Xunit2Hook())
            : throw new UsageException($"{path} has no test framework that this version knows: xunit.");
    }
}
