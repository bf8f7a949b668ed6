using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>
/// The three ways of 2013 to read both streams of a <see cref="Process"/>, as the contrast: none of them is safe. The
/// first blocks for ever once the stream that is not being read fills its pipe; the others read on ThreadPool threads.
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

    /// <summary>The first way: one stream to its end, and then the other.</summary>
    public static (string Output, string Error) ReadOneAfterTheOther(Process process)
    {
        string output = process.StandardOutput.ReadToEnd();
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return (output, error);
    }

    /// <summary>The second way: an event for each line.</summary>
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

    /// <summary>The third way: a task for each stream.</summary>
    public static (string Output, string Error) ReadByTasks(Process process)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        process.WaitForExit();
        return (output.Result, error.Result);
    }
}
