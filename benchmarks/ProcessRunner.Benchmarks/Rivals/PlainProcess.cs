using System.Diagnostics;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Rivals;

/// <summary>Provides the common parts of the runners that use <see cref="Process"/>.</summary>
internal static class PlainProcess
{
    public static Process Create(ChildJob job) => new()
    {
        StartInfo = new ProcessStartInfo(job.Program, job.Arguments)
        {
            RedirectStandardInput = job.Input is not null,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        },
    };

    /// <summary>Writes the input at once; it is short enough for the pipe.</summary>
    public static void WriteInput(Process process, ChildJob job)
    {
        if (job.Input is not null)
        {
            process.StandardInput.Write(job.Input);
            process.StandardInput.Close();
        }
    }
}
