using System;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Closes the descriptors in its arguments and runs children: first one after the other, then from several threads at
/// once.
/// </summary>
internal sealed class ClosedDescriptors : IScenario
{
    public string Name => "closed-descriptors";

    public void Play(string[] arguments)
    {
        foreach (string descriptor in arguments)
        {
            Expect.Equal(0, NativeMethods.Close(int.Parse(descriptor)), $"close({descriptor})");
        }

        RunChildren();
        Exception? failure = null;
        Thread[] threads = Enumerable.Range(0, 4)
            .Select(_ => new Thread(() =>
            {
                try
                {
                    RunChildren();
                }
                catch (Exception exception)
                {
                    failure = exception;
                }
            }))
            .ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Expect.Equal(null, failure, "exception of a thread");
    }

    private static void RunChildren()
    {
        for (int i = 0; i < 5; i++)
        {
            ProcessResult both = new ProcessCommand("/bin/sh", "-c", "printf out; printf err >&2; exit 7").Run();
            Expect.Equal("out", both.StandardOutput.Text, "standard output");
            Expect.Equal("err", both.StandardError.Text, "standard error");
            Expect.Equal(7, both.ExitCode, "exit code");

            ProcessCommand ofError =
                new("/bin/sh", "-c", "printf out; printf err >&2") { StandardOutput = OutputTarget.Null };
            Expect.Equal("err", ofError.Run().StandardError.Text, "standard error beside no output");

            ProcessResult input = new ProcessCommand("cat").Run();
            Expect.Equal(0, input.ExitCode, "exit code of a child that reads its input");
            Expect.Equal("", input.StandardOutput.Text + input.StandardError.Text, "bytes in the input of a child");

            // ls itself opens the directory, with the lowest free number.
            ProcessResult open = new ProcessCommand("ls", "/proc/self/fd").Run();
            Expect.Equal("0 1 2 3", string.Join(' ', open.StandardOutput.Lines()), "descriptors of a child");
        }
    }
}
