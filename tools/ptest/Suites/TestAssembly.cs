using System.IO;
using PTest.Hosts;

namespace PTest.Suites;

/// <summary>Represents an assembly with tests.</summary>
/// <param name="FilePath">The absolute path of the assembly.</param>
/// <param name="Host">The way to run its tests.</param>
internal sealed record TestAssembly(string FilePath, TestHost Host)
{
    public string Name => Path.GetFileNameWithoutExtension(FilePath);

    public string Folder => Path.GetDirectoryName(FilePath)!;
}
