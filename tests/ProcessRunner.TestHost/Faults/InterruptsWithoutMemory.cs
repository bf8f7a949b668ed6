using System;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that a Ctrl-C reaches the children even if memory is missing for a while, and that a batch whose triggers
/// cannot be registered leaves nothing behind in the tokens of the caller.
/// </summary>
internal sealed class InterruptsWithoutMemory : IScenario
{
    private const int ENOMEM = 12;
    private const int SIGINT = 2;
    private const int Refusals = 20;

    public string Name => "interrupts-without-memory";

    public void Play(string[] arguments)
    {
        Interrupt();
        BeginBatches();
    }

    private static void Interrupt()
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ForwardInterrupt = true });
        ProcessCommand command = new ProcessCommand("/bin/sh", "-c", "trap 'exit 7' INT; echo; read end") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start(engine);
        _ = child.ReadLines(keepRunning: true).First();
        int asked = 0;
        int caller = Environment.CurrentManagedThreadId;
        FaultPoint.Decide = call =>
            call == FaultPoint.ManagedMemory && Environment.CurrentManagedThreadId != caller && ++asked <= Refusals
                ? ENOMEM
                : 0;
        _ = NativeMethods.Kill(Environment.ProcessId, SIGINT);
        ProcessResult result = child.Wait();
        FaultPoint.Decide = null;
        Expect.True(asked > Refusals, "memory was missing");
        Expect.Equal(7, result.ExitCode, "exit code");
    }

    // Another allocation fails each time, until none fails.
    private static void BeginBatches()
    {
        using CancellationTokenSource source = new();
        using ProcessEngine engine = new();
        _ = new ProcessCommand("true").Run(engine);
        int failing = 1;
        while (TryBatch(engine, failing++, out WeakReference commands, source.Token))
        {
            bool isGone = SpinWait.SpinUntil(() => IsGone(engine, commands), TimeSpan.FromMinutes(1));
            Expect.True(isGone, $"nothing keeps the batch whose allocation {failing - 1} failed");
        }

        Expect.True(failing > 2, "an allocation failed");
    }

    // A delivery thread that sleeps may still refer to its last job, so it gets another one.
    private static bool IsGone(ProcessEngine engine, WeakReference commands)
    {
        (new ProcessCommand("true") with { StandardOutput = OutputTarget.ToLines(_ => { }) }).Run(engine);
        GC.Collect();
        return !commands.IsAlive;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryBatch(ProcessEngine engine, int failing, out WeakReference commands, CancellationToken token)
    {
        ProcessCommand[] array = [new ProcessCommand("true")];
        commands = new WeakReference(array);
        int caller = Environment.CurrentManagedThreadId;
        int asked = 0;
        FaultPoint.Decide = call =>
            call == FaultPoint.ManagedMemory && Environment.CurrentManagedThreadId == caller && ++asked == failing
                ? ENOMEM : 0;
        try
        {
            BatchOptions options = new() { Engine = engine, StopOnInterrupt = true };
            Expect.Equal(1, ProcessBatch.Enumerate(array, options, token).Count(), "results");
            return false;
        }
        catch (OutOfMemoryException)
        {
            return true;
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    }
}
