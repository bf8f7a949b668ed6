using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Starts children on threads with a descriptor table of their own while the runtime is busy on all others: it collects
/// garbage, gets signals that it hands on through a pipe, and has such threads come and go. A thing of the runtime's that ran
/// on such a thread would end this process.
/// </summary>
internal sealed class SpawnThreads : IScenario
{
    private const int SIGWINCH = 28;
    private const int Engines = 100;
    private const int RunsOfAnEngine = 12;
    private const int Runners = 3;

    public string Name => "spawn-threads";

    public void Play(string[] arguments)
    {
        OpenDescriptors.Crowd();
        int signals = 0;
        using PosixSignalRegistration resized = PosixSignalRegistration.Create(
            PosixSignal.SIGWINCH, _ => Interlocked.Increment(ref signals));
        using PosixSignalRegistration ended = PosixSignalRegistration.Create(PosixSignal.SIGCHLD, _ => { });
        using CancellationTokenSource done = new();
        Thread[] disturbers =
        [
            new(() => Repeat(static () => GC.Collect(), done.Token)),
            new(() => Repeat(static () => _ = NativeMethods.Kill(Environment.ProcessId, SIGWINCH), done.Token)),
        ];
        Array.ForEach(disturbers, thread => thread.Start());

        Exception? failure = null;
        Thread[] runners = [.. Enumerable.Range(0, Runners).Select(_ => new Thread(() =>
        {
            try
            {
                RunWithManyEngines();
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
        Expect.Equal(null, failure, "what a thread threw");
        Expect.True(signals > 0, "signals were handed on");
    }

    private static void RunWithManyEngines()
    {
        for (int i = 0; i < Engines; i++)
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
            new ProcessCommand("true").Run(engine);
            int threads = engine.ThreadCount;
            for (int run = 0; run < RunsOfAnEngine; run++)
            {
                ProcessResult result = new ProcessCommand("/bin/sh", "-c", "printf out; printf err >&2; exit 7").Run(engine);
                Expect.Equal("out", result.StandardOutput.Text, "standard output");
                Expect.Equal("err", result.StandardError.Text, "standard error");
                Expect.Equal(7, result.ExitCode, "exit code");
            }

            Expect.Equal(threads + 1, engine.ThreadCount, "threads of an engine that starts on one of them");
        }
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
