using System.Collections.Generic;
using System.IO;
using PTest.Hosts;

namespace PTest.Suites;

/// <summary>Represents an assembly with tests.</summary>
/// <param name="FilePath">The absolute path of the assembly.</param>
/// <param name="Host">The way to run its tests.</param>
internal sealed record TestAssembly(string FilePath, TestHost Host)
{
    /// <summary>Gets what runs its tests if the host finds none: only its helpers may use that framework.</summary>
    public IReadOnlyList<TestHost> NextHosts { get; init; } = [];

    /// <summary>Gets the name of a framework whose tests its first host would lose; null if there is none.</summary>
    public string? OtherFramework { get; init; }

    /// <summary>Gets the target framework, if its project has several; else null.</summary>
    public string? Framework { get; init; }

    /// <summary>Gets the name that tells the assembly from the others of a run.</summary>
    public string Name => Framework is null ? FileName : $"{FileName} ({Framework})";

    public string FileName => Path.GetFileNameWithoutExtension(FilePath);

    public string Folder => Path.GetDirectoryName(FilePath)!;
}
