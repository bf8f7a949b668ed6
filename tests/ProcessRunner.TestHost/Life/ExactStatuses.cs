using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Runs children on several threads beside a thread that takes every possible status: <c>steal</c> waits for any child;
/// <c>process</c> uses System.Diagnostics.Process, which waits for any child as process 1; <c>nobody</c> leaves it to
/// the kernel, because SIGCHLD was ignored at the start. Each status must be exact or lost. It is lost if the kernel
/// does not keep it for the holder of a pidfd (before Linux 6.15), or if the child was taken before its pidfd could be
/// opened.
/// </summary>
internal sealed unsafe class ExactStatuses : IScenario
{
    private static readonly Version s_keepsStatus = new(6, 15);

    private volatile bool _done;

    public string Name => "exact-statuses";

    public void Play(string[] arguments)
    {
        if (arguments.Length > 1)
        {
            // SIGCHLD is signal 17, and therefore the seventeenth bit.
            string line = File.ReadLines("/proc/self/status").First(one => one.StartsWith("SigIgn:"));
            Expect.True((Convert.ToUInt64(line[7..].Trim(), 16) & 0x10000) != 0, "SIGCHLD is ignored");
        }

        Thread? taker = arguments[0] switch
        {
            "steal" => new Thread(Steal),
            "process" => new Thread(RunProcesses),
            _ => null,
        };
        taker?.Start();
        Exception? failure = null;
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(number => new Thread(() =>
        {
            try
            {
                for (int i = 0; i < 100; i++)
                {
                    Run(((number * 100) + i) % 256);
                }

                RunStopped();
            }
            catch (Exception exception)
            {
                failure = exception;
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        _done = true;
        taker?.Join();
        Expect.Equal(null, failure, "exception of a thread");
    }

    private static void Run(int code)
    {
        ProcessResult exit = new ProcessCommand("/bin/sh", "-c", $"echo text; exit {code}").Run();
        Expect.Equal("text\n", exit.StandardOutput.Text, "output");
        Expect.True(IsRight(exit, exit.ExitCode == code, ProcessOutcome.Exited), $"{exit} is right for {code}");
        if (code % 8 == 0)
        {
            ProcessResult signal = new ProcessCommand("/bin/sh", "-c", "kill -9 $$").Run();
            Expect.True(IsRight(signal, signal.SignalNumber == 9, ProcessOutcome.Signaled), $"{signal} is right");
        }
    }

    private static void RunStopped()
    {
        using ChildProcess sleeper = new ProcessCommand("sleep", "1000").Start();
        ProcessResult stopped = sleeper.Stop();
        Expect.Equal(ProcessOutcome.Canceled, stopped.Outcome, "outcome of a stopped child");
        Expect.True(stopped.SignalNumber is 15 || !KeepsStatus, $"{stopped} died of SIGTERM");
        Expect.True(!sleeper.Signal((System.Runtime.InteropServices.PosixSignal)9), "no process is left to signal");
    }

    private static bool KeepsStatus => Environment.OSVersion.Version >= s_keepsStatus;

    private static bool IsRight(ProcessResult result, bool isExact, ProcessOutcome outcome) =>
        (isExact && result.Outcome == outcome)
        || result is { Outcome: ProcessOutcome.StatusLost, ExitCode: null, Signal: null };

    private void Steal()
    {
        while (!_done)
        {
            // The call sleeps until there is a status to take; without any child it fails at once.
            if (NativeMethods.WaitPid(-1, null, 0) < 0)
            {
                Thread.Sleep(1);
            }
        }
    }

    private void RunProcesses()
    {
        while (!_done)
        {
            using System.Diagnostics.Process process = System.Diagnostics.Process.Start("/bin/sh", ["-c", "exit 3"]);
            process.WaitForExit();
        }
    }
}
