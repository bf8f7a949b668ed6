using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that children of this library and of System.Diagnostics.Process, with its SIGCHLD handler, do not take each
/// other's exit statuses.
/// </summary>
internal sealed class BesideProcessClass : IScenario
{
    public string Name => "beside-process-class";

    public void Play(string[] arguments)
    {
        ConcurrentQueue<Exception> failures = [];
        Thread[] threads =
        [
            .. Enumerable.Range(0, 2).Select(_ => Started(Ours, failures)),
            .. Enumerable.Range(0, 2).Select(_ => Started(Theirs, failures)),
        ];
        Array.ForEach(threads, thread => thread.Join());
        Expect.Equal(null, failures.FirstOrDefault(), "exception of a thread");
    }

    private static Thread Started(Action<int> body, ConcurrentQueue<Exception> failures)
    {
        Thread thread = new(() =>
        {
            try
            {
                for (int i = 0; i < 100; i++)
                {
                    body(i);
                }
            }
            catch (Exception exception)
            {
                failures.Enqueue(exception);
            }
        });
        thread.Start();
        return thread;
    }

    private static void Ours(int code)
    {
        ProcessResult result = new ProcessCommand("/bin/sh", "-c", $"echo {code}; exit {code}").Run();
        Expect.Equal($"{code}\n", result.StandardOutput.Text, "output");

        // As process 1, the runtime reaps every child that it does not know, including ours, possibly before we have a
        // pidfd.
        if (Environment.ProcessId != 1 || result.Outcome != ProcessOutcome.StatusLost)
        {
            Expect.Equal(ProcessOutcome.Exited, result.Outcome, "outcome");
            Expect.Equal(code, result.ExitCode, "exit code");
        }
    }

    private static void Theirs(int code)
    {
        using Process process = Process.Start("/bin/sh", ["-c", $"exit {code}"]);
        process.WaitForExit();
        Expect.Equal(code, process.ExitCode, "exit code of the other kind of child");
    }
}
