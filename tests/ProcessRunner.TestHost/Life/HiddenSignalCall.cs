using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that children are signaled even if a seccomp profile hides pidfd_send_signal behind the error in the
/// argument: limits, stops and the user's signals work.
/// </summary>
internal sealed class HiddenSignalCall : IScenario
{
    private const int SYS_pidfd_send_signal = 424;

    private static readonly TimeSpan s_generous = TimeSpan.FromSeconds(60);

    public string Name => "hidden-signal-call";

    public void Play(string[] arguments)
    {
        // Handlers that were registered before the library's are called after them.
        using ManualResetEventSlim handled = new();
        using PosixSignalRegistration handler = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            handled.Set();
        });
        SystemCallFilter.Hide(SYS_pidfd_send_signal, int.Parse(arguments[0]));
        foreach (ProcessGroupMode mode in Enum.GetValues<ProcessGroupMode>())
        {
            ProcessCommand command = new("sleep", "1000") { GroupMode = mode };
            using ChildProcess limited = (command with { Timeout = TimeSpan.FromMilliseconds(200) }).Start();
            Expect.True(limited.TryWait(s_generous, out ProcessResult? result), $"a limit holds in mode {mode}");
            Expect.Equal(ProcessOutcome.TimedOut, result!.Outcome, "outcome");
            using ChildProcess stopped = command.Start();
            Expect.Equal(9, stopped.Stop(TimeSpan.Zero).SignalNumber, "signal of a child that was killed");
            using ChildProcess signaled = command.Start();
            Expect.True(signaled.Signal((PosixSignal)10), "a signal can be sent");
            Expect.Equal(10, signaled.Wait().SignalNumber, "signal of a child that was sent one");
            Expect.True(!signaled.Signal((PosixSignal)10), "no process is left to signal");
        }

        EndAStart();
        OutliveASignal(handled);
    }

    // Before its program runs, the child opens a FIFO without a writer.
    private static void EndAStart()
    {
        DirectoryInfo directory = Directory.CreateTempSubdirectory();
        string fifo = Path.Combine(directory.FullName, "fifo");
        new ProcessCommand("mkfifo", fifo).Run().EnsureSuccess();
        ProcessCommand command =
            new("true") { StandardInput = InputSource.FromFile(fifo), Timeout = TimeSpan.FromMilliseconds(200) };
        ProcessResult result = command.Run();
        directory.Delete(recursive: true);
        Expect.Equal(ProcessOutcome.TimedOut, result.Outcome, "outcome of a start that hangs");
        Expect.Equal(9, result.SignalNumber, "signal of a child whose start hangs");
    }

    // A guardian exists when the handler is called, because our handler was called before it. The guardian is released,
    // because this process continues.
    private static void OutliveASignal(ManualResetEventSlim handled)
    {
        using ChildProcess spared = new ProcessCommand("sleep", "1000").Start();
        Expect.Equal(0, NativeMethods.Kill(Environment.ProcessId, 15), "kill");
        Expect.True(handled.Wait(s_generous), "the handler is called");
        while (Directory.EnumerateDirectories("/proc").Any(path => IsGuardian(path)))
        {
            Thread.Sleep(10);
        }

        spared.Signal((PosixSignal)10);
        Expect.Equal(10, spared.Wait().SignalNumber, "signal of a child whose host goes on");
    }

    private static bool IsGuardian(string path)
    {
        try
        {
            return char.IsAsciiDigit(path[^1])
                && File.ReadAllText(Path.Combine(path, "cmdline")).Contains("\0processrunner-guardian\0")
                && File.ReadAllText(Path.Combine(path, "status")).Contains($"\nPPid:\t{Environment.ProcessId}\n");
        }
        catch (IOException)
        {
            // The process is gone.
            return false;
        }
    }
}
