using System;
using System.IO;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Represents a folder that lives as long as its test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("ptest-tests-").FullName;

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
