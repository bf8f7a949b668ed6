using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// Provides the three common ways of 2013 to read both streams of a <see cref="Process"/>, for contrast. None of them
/// is safe: the first blocks forever once the unread stream fills its pipe, and the others read on ThreadPool threads.
/// </summary>
internal static class PlainProcess
{
    /// <summary>Starts a process with both streams redirected.</summary>
    public static Process Start(ProcessCommand command) =>
        Process.Start(new ProcessStartInfo(command.FileName, command.Arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;

    /// <summary>Reads one stream to its end, then the other: the first way.</summary>
    public static (string Output, string Error) ReadOneAfterTheOther(Process process)
    {
        string output = process.StandardOutput.ReadToEnd();
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return (output, error);
    }

    /// <summary>Reads by an event for each line: the second way.</summary>
    public static (string Output, string Error) ReadByEvents(Process process)
    {
        StringBuilder output = new();
        StringBuilder error = new();
        using CountdownEvent ends = new(2);
        process.OutputDataReceived += (_, line) => Receive(output, line.Data);
        process.ErrorDataReceived += (_, line) => Receive(error, line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        process.WaitForExit();
        ends.Wait();
        return (output.ToString(), error.ToString());

        void Receive(StringBuilder text, string? line)
        {
            if (line is null)
            {
                ends.Signal();
            }
            else
            {
                text.Append(line).Append('\n');
            }
        }
    }

    /// <summary>Reads by a task for each stream: the third way.</summary>
    public static (string Output, string Error) ReadByTasks(Process process)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        process.WaitForExit();
        return (output.Result, error.Result);
    }
}
