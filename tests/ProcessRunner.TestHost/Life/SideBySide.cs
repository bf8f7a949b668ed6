using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Runs 500 children each of System.Diagnostics.Process and this library in one program, and verifies that neither
/// loses a status.
/// </summary>
internal sealed class SideBySide : IScenario
{
    private const int Count = 500;
    private const int Threads = 4;

    public string Name => "side-by-side";

    public void Play(string[] arguments)
    {
        Exception? failure = null;
        Thread[] threads = new Thread[Threads];
        for (int number = 0; number < Threads; number++)
        {
            int first = number * Count / Threads;
            threads[number] = new Thread(() =>
            {
                try
                {
                    for (int i = first; i < first + (Count / Threads); i++)
                    {
                        RunBoth(i % 256);
                    }
                }
                catch (Exception exception)
                {
                    failure = exception;
                }
            });
            threads[number].Start();
        }

        Array.ForEach(threads, thread => thread.Join());
        Expect.Equal(null, failure, "exception of a thread");
    }

    private static void RunBoth(int code)
    {
        string script = $"echo text; exit {code}";
        using ChildProcess ours = new ProcessCommand("/bin/sh", "-c", script).Start();
        ProcessStartInfo info = new("/bin/sh", ["-c", script]) { RedirectStandardOutput = true };
        using Process theirs = Process.Start(info)!;
        string text = theirs.StandardOutput.ReadToEnd();
        theirs.WaitForExit();
        ProcessResult result = ours.Wait();
        Expect.Equal("text\n", text, "their output");
        Expect.Equal(code, theirs.ExitCode, "their exit code");
        Expect.Equal("text\n", result.StandardOutput.Text, "our output");
        Expect.Equal(ProcessOutcome.Exited, result.Outcome, "our outcome");
        Expect.Equal(code, result.ExitCode, "our exit code");
    }
}
