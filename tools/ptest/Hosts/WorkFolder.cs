using System;
using System.Globalization;
using System.IO;
using System.Threading;

namespace PTest.Hosts;

/// <summary>Represents the files of one process of tests, in the temporary folder of the run.</summary>
internal sealed class WorkFolder(string prefix)
{
    private static int s_last;

    /// <summary>Gets the file by which the process gets its job.</summary>
    public string JobFile => $"{prefix}.job";

    /// <summary>Gets the file that the process writes its events to.</summary>
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
