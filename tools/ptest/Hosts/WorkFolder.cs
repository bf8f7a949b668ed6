using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;

namespace PTest.Hosts;

/// <summary>Represents the files of one process of tests, in the temporary folder of the run.</summary>
internal sealed class WorkFolder(string prefix)
{
    private static int s_last;

    /// <summary>Gets the file by which the process gets its job.</summary>
    public string JobFile => $"{prefix}.job";

    /// <summary>Gets the file that the host of the process creates and writes its events to.</summary>
    public string EventFile => $"{prefix}.events";

    /// <summary>Gets the socket that the process connects to, if its host does.</summary>
    public string PipeFile => $"{prefix}.pipe";

    /// <summary>Gets or sets what takes the reports of the process while it runs, if its host needs that.</summary>
    public IDisposable? Listener { get; set; }

    /// <summary>Gets a folder for reports that the process writes.</summary>
    public string ReportFolder => $"{prefix}.reports";

    /// <summary>Makes the folder of another process.</summary>
    public static WorkFolder Next(string root) =>
        new(Path.Combine(root, Interlocked.Increment(ref s_last).ToString(CultureInfo.InvariantCulture)));

    /// <summary>Writes the job, a line each.</summary>
    public void WriteJob(IEnumerable<string> lines) => Write(JobFile, lines);

    /// <summary>Writes a file for this and later processes of the run, unless an earlier one has.</summary>
    /// <returns>Its path.</returns>
    public string Share(string name, IEnumerable<string> lines)
    {
        string path = Path.Combine(Path.GetDirectoryName(prefix)!, name);
        if (!File.Exists(path))
        {
            Write(path, lines);
        }

        return path;
    }

    private static void Write(string path, IEnumerable<string> lines)
    {
        // ext4 writes a file that has been truncated to the disk as soon as it is closed (auto_da_alloc in ext4(5)).
        // .NET truncates even a file that it has just created, unless it must be new.
        using FileStream file = new(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
        file.Write(Encoding.UTF8.GetBytes(string.Concat(lines.Select(line => $"{line}\n"))));
    }

    /// <summary>Takes the last reports of the process, which has ended.</summary>
    public void EndListening()
    {
        Listener?.Dispose();
        Listener = null;
    }

    /// <summary>Deletes the files.</summary>
    public void Delete()
    {
        try
        {
            File.Delete(JobFile);
            File.Delete(EventFile);
            if (Directory.Exists(ReportFolder))
            {
                Directory.Delete(ReportFolder, recursive: true);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // They are temporary files, and the whole folder goes at the end.
        }
    }
}
