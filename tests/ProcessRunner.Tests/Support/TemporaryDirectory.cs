using System;
using System.Globalization;
using System.IO;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>Represents a directory that is deleted with everything in it.</summary>
internal sealed class TemporaryDirectory : IDisposable
{
    /// <summary>Creates a directory among the system's temporary files.</summary>
    public TemporaryDirectory() =>
        Path = WithoutLinks(Directory.CreateTempSubdirectory("processrunner-").FullName);

    /// <summary>Creates a directory in a given directory.</summary>
    public TemporaryDirectory(string parent) =>
        Path = Directory.CreateDirectory(System.IO.Path.Combine(parent, $"test-{Guid.NewGuid():N}")).FullName;

    public string Path { get; }

    public static implicit operator string(TemporaryDirectory directory) => directory.Path;

    /// <summary>Gets the path of an entry in the directory.</summary>
    public string At(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Creates a file that is not executable.</summary>
    public string File(string name, string content = "")
    {
        System.IO.File.WriteAllText(At(name), content);
        return At(name);
    }

    /// <summary>Creates a directory in the directory.</summary>
    public string Folder(string name) => Directory.CreateDirectory(At(name)).FullName;

    /// <summary>
    /// Creates an executable file. A child writes it: another test's child could copy a descriptor that is open for
    /// writing here, and the file would stay busy until that child's exec.
    /// </summary>
    public string Program(string name, string content)
    {
        TestPrograms.Shell("printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"", At(name), content).Run().EnsureSuccess();
        return At(name);
    }

    /// <summary>Waits until a child has created a file (its word <c>touch</c>).</summary>
    public void WaitFor(string name) =>
        Eventually.Is(() => System.IO.File.Exists(At(name)), $"the child creates {name}");

    /// <summary>Gets the id of the process whose word <c>touch</c> creates a file, once it has done so.</summary>
    public int IdIn(string name)
    {
        WaitFor(name);
        return int.Parse(System.IO.File.ReadAllText(At(name)), CultureInfo.InvariantCulture);
    }

    /// <summary>Creates a FIFO, on which a child can wait for the test and the test for a child.</summary>
    public string Fifo(string name)
    {
        new ProcessCommand("mkfifo", At(name)).Run().EnsureSuccess();
        return At(name);
    }

    public void Dispose()
    {
        Directory.Delete(Path, recursive: true);
    }

    // As a child tells its working directory. On macOS the directory for temporary files is behind a link.
    private static string WithoutLinks(string path)
    {
        if (System.IO.Path.GetDirectoryName(path) is not string parent)
        {
            return path;
        }

        string place = System.IO.Path.Combine(WithoutLinks(parent), System.IO.Path.GetFileName(path));
        return Directory.ResolveLinkTarget(place, returnFinalTarget: true)?.FullName ?? place;
    }
}
