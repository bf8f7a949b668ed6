using System;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.BackendCheck;

/// <summary>The checks of ends by force, and of descendants.</summary>
internal static partial class Checks
{
    private static void Crashes()
    {
        Equal(false, Self("crash").Run().IsSuccess);
        if (OperatingSystem.IsWindows())
        {
            ProcessResult result = Self("return", "-1073741819").Run();
            Equal(true, result.ToString().EndsWith("(0xC0000005, access violation)", StringComparison.Ordinal));
        }
    }

    private static void LateKills()
    {
        for (int i = 0; i < 50; i++)
        {
            using ChildProcess child = Small(5).Start();
            Thread killer = new(() => child.Kill());
            killer.Start();
            ProcessResult result = child.Wait();
            killer.Join();
            Equal(
                true,
                result is { Outcome: ProcessOutcome.Exited, ExitCode: 5 } or { Outcome: ProcessOutcome.Canceled });
        }
    }

    private static void LeftDescendants()
    {
        ProcessCommand leaver = Self("spawn", "sleep 1000000") with { DrainGrace = TimeSpan.Zero };
        ProcessResult left = leaver.Run();
        int descendant = IdIn(left);
        Equal(true, IsAlive(descendant));
        Equal(true, left.StandardOutput.IsHeldOpen);
        KillById(descendant);
        if (!s_isNative)
        {
            return;
        }

        ProcessResult reported = (leaver with { Descendants = DescendantPolicy.Report }).Run();
        Equal(IdIn(reported), reported.SurvivingDescendants.Single().ProcessId);
        KillById(IdIn(reported));
        ProcessResult killed = (leaver with { Descendants = DescendantPolicy.KillAlways }).Run();
        Equal(0, killed.SurvivingDescendants.Count);
        AwaitDeath(IdIn(killed));
    }

    // SIGKILL gives the host no chance to do anything.
    private static void EndsOfHosts()
    {
        if (!s_isNative)
        {
            return;
        }

        using ChildProcess host = (Self("guard") with { StandardOutput = OutputTarget.Live() }).Start();
        int child = int.Parse(host.ReadLines(keepRunning: true).First().Content, CultureInfo.InvariantCulture);
        Equal(true, IsAlive(child));
        Equal(true, host.Signal((PosixSignal)9));
        host.Wait();
        AwaitDeath(child);
        EndOfOne();
    }

    // One child of the engine has the option, and another one has not.
    private static void EndOfOne()
    {
        using ChildProcess host = (Self("guardOne") with
        {
            StandardOutput = OutputTarget.Live(),
            DrainGrace = TimeSpan.Zero,
            Descendants = DescendantPolicy.Leave,
        }).Start();
        int[] children = [.. host.ReadLines(keepRunning: true).Take(2).Select(line =>
            int.Parse(line.Content, CultureInfo.InvariantCulture))];
        Equal(true, host.Signal((PosixSignal)9));
        host.Wait();
        AwaitDeath(children[0]);
        Equal(true, IsAlive(children[1]));
        KillById(children[1]);
    }

    private static int IdIn(ProcessResult result) =>
        int.Parse(result.StandardOutput.Text, CultureInfo.InvariantCulture);

    private static void KillById(int processId)
    {
        using System.Diagnostics.Process process = System.Diagnostics.Process.GetProcessById(processId);
        process.Kill();
        process.WaitForExit();
    }

    private static void AwaitDeath(int processId)
    {
        SpinWait.SpinUntil(() => !IsAlive(processId), TimeSpan.FromMinutes(5));
        Equal(false, IsAlive(processId));
    }
}
