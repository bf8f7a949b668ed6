using System;
using System.Diagnostics;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies a child whose zombie a tracer in another process holds (ptrace(2)). Its pidfd is readable, but there is no
/// status yet. The waiting thread must not spin, and must see the end once the tracer lets go. The arguments are the
/// directory of the files that synchronize the two processes and, for the tracer, the process id.
/// </summary>
internal sealed class HeldZombie : IScenario
{
    private const nint PTRACE_SEIZE = 0x4206;

    public string Name => "held-zombie";

    public void Play(string[] arguments)
    {
        string directory = arguments[0];
        string seized = Path.Combine(directory, "seized");
        string go = Path.Combine(directory, "go");
        if (arguments.Length > 1)
        {
            bool isSeized = NativeMethods.PTrace(PTRACE_SEIZE, int.Parse(arguments[1]), 0, 0) == 0;
            File.WriteAllText(seized + ".new", isSeized ? "yes" : "no");
            File.Move(seized + ".new", seized);
            WaitFor(go);
            return;
        }

        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        using ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
        using ChildProcess tracer = new ProcessCommand(
            Environment.ProcessPath!,
            Name,
            Path.Combine(directory, "report"),
            directory,
            $"{child.ProcessId}").Start(engine);
        Thread waiter = new(() => child.Wait());
        waiter.Start();
        WaitFor(seized);

        // No other signal ends a traced process: its tracer receives each of them first.
        child.Signal((System.Runtime.InteropServices.PosixSignal)9);

        // A machine may forbid tracing altogether. Otherwise the process dies and cannot be reaped.
        if (File.ReadAllText(seized) == "yes")
        {
            while (File.ReadAllText($"/proc/{child.ProcessId}/stat") is string stat
                && stat[stat.LastIndexOf(')') + 2] != 'Z')
            {
                Thread.Sleep(1);
            }

            TimeSpan before = Process.GetCurrentProcess().TotalProcessorTime;
            Expect.True(!child.TryWait(TimeSpan.FromSeconds(2), out _), "the tracer holds the zombie");
            TimeSpan used = Process.GetCurrentProcess().TotalProcessorTime - before;
            Expect.True(used < TimeSpan.FromSeconds(0.5), $"no thread spins for 2 s: {used} of processor time");
        }

        File.WriteAllText(go, "");
        waiter.Join();
        Expect.Equal(9, child.Wait().SignalNumber, "signal");
        Expect.True(tracer.Wait().IsSuccess, "the tracer ends");
    }

    private static void WaitFor(string file)
    {
        while (!File.Exists(file))
        {
            Thread.Sleep(1);
        }
    }
}
