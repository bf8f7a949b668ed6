using System;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a child whose status another wait takes, on a kernel that denies the existence of the process a number of
/// times, but not for long if the status is to be exact, before it reports the status to the holder of the pidfd:
/// <c>REFUSALS IS-EXACT</c>.
/// </summary>
internal sealed class LateStatus : IScenario
{
    private const int ESRCH = 3;

    private static readonly Version s_keepsStatus = new(6, 15);

    // Less than the library's patience.
    private static readonly TimeSpan s_longestRefusal = TimeSpan.FromMilliseconds(400);

    public string Name => "late-status";

    public void Play(string[] arguments)
    {
        int refusals = int.Parse(arguments[0]);
        bool isToBeExact = bool.Parse(arguments[1]);
        Stopwatch sinceFirst = new();
        using ChildProcess child =
            new ProcessCommand("/bin/sh", "-c", "read line; exit 5") { StandardInput = InputSource.Pipe }.Start();
        bool IsRefused()
        {
            sinceFirst.Start();
            refusals = isToBeExact && sinceFirst.Elapsed > s_longestRefusal ? 0 : refusals;
            return Interlocked.Decrement(ref refusals) >= 0;
        }

        FaultPoint.Decide = call => call == "ioctl PIDFD_GET_INFO" && IsRefused() ? ESRCH : 0;
        Thread thief = new(() => Take(child.ProcessId));
        thief.Start();
        child.StandardInput.Dispose();
        ProcessResult result = child.Wait();
        thief.Join();
        FaultPoint.Decide = null;
        bool isExact = isToBeExact && Environment.OSVersion.Version >= s_keepsStatus;

        // The thief may have come too late.
        Expect.True(
            isExact ? result.ExitCode == 5 : result.Outcome == ProcessOutcome.StatusLost || result.ExitCode == 5,
            $"{result} is right");
    }

    private static unsafe void Take(int processId) => _ = NativeMethods.WaitPid(processId, null, 0);
}
