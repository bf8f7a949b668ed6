using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Starts children on several threads while the runtime is as busy as possible on others: it collects garbage, which
/// stops all threads by signals, and forwards signals to the process and to its group, which contains a child until the
/// child leads its own group. No handler of ours may run in a child, because the child shares our memory until its
/// exec.
/// </summary>
internal sealed class BusyRuntime : IScenario
{
    private const int SIGCHLD = 17;
    private const int SIGWINCH = 28;
    private const int OwnGroup = 0;
    private const int Runners = 3;
    private const int RunsOfEach = 500;

    public string Name => "busy-runtime";

    public void Play(string[] arguments)
    {
        int signals = 0;
        using PosixSignalRegistration resized = PosixSignalRegistration.Create(
            PosixSignal.SIGWINCH, _ => Interlocked.Increment(ref signals));
        using PosixSignalRegistration? ended = arguments is ["child-signal-handled"]
            ? PosixSignalRegistration.Create(PosixSignal.SIGCHLD, _ => { })
            : null;
        using CancellationTokenSource done = new();
        Thread[] disturbers =
        [
            new(() => Repeat(static () => GC.Collect(0), done.Token)),
            new(() => Repeat(static () => _ = NativeMethods.Kill(OwnGroup, SIGWINCH), done.Token)),
            new(() => Repeat(static () => _ = NativeMethods.Kill(OwnGroup, SIGCHLD), done.Token)),
        ];
        Array.ForEach(disturbers, thread => thread.Start());

        Exception? failure = null;
        Thread[] runners = [.. Enumerable.Range(0, Runners).Select(number => new Thread(() =>
        {
            try
            {
                RunMany(number);
            }
            catch (Exception exception)
            {
                failure = exception;
            }
        }))];
        Array.ForEach(runners, thread => thread.Start());
        Array.ForEach(runners, thread => thread.Join());
        done.Cancel();
        Array.ForEach(disturbers, thread => thread.Join());
        Expect.Equal(null, failure, "exception of a thread");
        Expect.True(signals > 0, "signals were handed on");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    private static void RunMany(int number)
    {
        for (int i = 0; i < RunsOfEach; i++)
        {
            string text = $"{number}-{i}";
            ProcessResult result = new ProcessCommand("printf", "%s", text).Run();
            Expect.Equal(text, result.StandardOutput.Text, "standard output");
            Expect.Equal(0, result.ExitCode, "exit code");
            if (i % 5 == 0)
            {
                FailToStart();
            }
        }
    }

    private static void FailToStart()
    {
        try
        {
            new ProcessCommand("/dev/null").Run();
        }
        catch (ProcessStartException)
        {
            return;
        }

        Expect.True(false, "a device cannot be started");
    }

    private static void Repeat(Action action, CancellationToken done)
    {
        while (!done.IsCancellationRequested)
        {
            action();
            Thread.Sleep(1);
        }
    }
}
