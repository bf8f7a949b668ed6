using System.Diagnostics;

namespace QuickStart;

/// <summary>
/// Runs System.Diagnostics.Process as its documentation shows it: both streams by events, then WaitForExit.
/// </summary>
internal sealed class EventRunner : IChildRunner
{
    public string Name => "Process, events";

    public ChildReport RunOne()
    {
        long outputBytes = 0;
        long errorBytes = 0;
        using Process process = new()
        {
            StartInfo = new ProcessStartInfo(Workload.Program, Workload.Arguments)
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            },
        };
        process.OutputDataReceived += (_, line) => outputBytes += Length(line);
        process.ErrorDataReceived += (_, line) => errorBytes += Length(line);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        process.WaitForExit();
        return new ChildReport(process.ExitCode, outputBytes, errorBytes);
    }

    // The text is ASCII, and the line lacks its line end.
    private static int Length(DataReceivedEventArgs line) => line.Data is null ? 0 : line.Data.Length + 1;
}
