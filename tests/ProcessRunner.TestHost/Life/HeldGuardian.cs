using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a guardian that hangs while its engine ends holds up neither the starts of other engines nor the
/// thread that watches for signals.
/// </summary>
internal sealed class HeldGuardian : IScenario
{
    private const int SIGCONT = 18;
    private const int SIGSTOP = 19;

    // The thread that watches for signals looks once a second.
    private static readonly TimeSpan s_looks = TimeSpan.FromSeconds(3);

    public string Name => "held-guardian";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("true");
        ProcessEngine first = new();
        (command with { KillOnParentExit = true }).Run(first).EnsureSuccess();
        int guardian = Guardian();
        _ = NativeMethods.Kill(guardian, SIGSTOP);
        Thread end = new(first.Dispose);
        end.Start();
        int runs = 0;
        for (Stopwatch watch = Stopwatch.StartNew(); watch.Elapsed < s_looks; runs++)
        {
            using ProcessEngine second = new();
            command.Run(second).EnsureSuccess();
        }

        Expect.True(runs > 0, "others run");
        _ = NativeMethods.Kill(guardian, SIGCONT);
        end.Join();
        Expect.True(!Directory.Exists($"/proc/{guardian}"), "the guardian has ended, and is no zombie");
    }

    private static int Guardian() => Directory.GetDirectories("/proc/self/task")
        .SelectMany(task => ProcFile.Read($"{task}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries))
        .Select(int.Parse)
        .Single();
}
