using System;
using System.IO;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>A directory that is deleted with all that is in it.</summary>
internal sealed class TemporaryDirectory : IDisposable
{
    /// <summary>Makes one among the system's temporary files.</summary>
    public TemporaryDirectory() => Path = Directory.CreateTempSubdirectory("processrunner-").FullName;

    /// <summary>Makes one in a given directory.</summary>
    public TemporaryDirectory(string parent) =>
        Path = Directory.CreateDirectory(System.IO.Path.Combine(parent, $"test-{Guid.NewGuid():N}")).FullName;

    public string Path { get; }

    public static implicit operator string(TemporaryDirectory directory) => directory.Path;

    /// <summary>The path of something in it.</summary>
    public string At(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Makes a file that may not be executed.</summary>
    public string File(string name, string content = "")
    {
        System.IO.File.WriteAllText(At(name), content);
        return At(name);
    }

    /// <summary>Makes a directory in it.</summary>
    public string Folder(string name) => Directory.CreateDirectory(At(name)).FullName;

    /// <summary>
    /// Makes a file that may be executed. A child writes it: a descriptor open for writing here could be copied into
    /// another test's child, and the file would be busy for as long.
    /// </summary>
    public string Program(string name, string content)
    {
        TestPrograms.Shell("printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"", At(name), content).Run().EnsureSuccess();
        return At(name);
    }

    /// <summary>Makes a FIFO, on which a child can wait for the test and the test for a child.</summary>
    public string Fifo(string name)
    {
        new ProcessCommand("mkfifo", At(name)).Run().EnsureSuccess();
        return At(name);
    }

    public void Dispose()
    {
        Directory.Delete(Path, recursive: true);
    }
}
