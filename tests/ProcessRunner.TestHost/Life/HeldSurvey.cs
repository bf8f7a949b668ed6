using System;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a kernel that holds up the look at a descendant, right before a signal, holds up no other child of the
/// reactor, and the run itself for a limited time.
/// </summary>
internal sealed class HeldSurvey : IScenario
{
    public string Name => "held-survey";

    public void Play(string[] arguments)
    {
        using ManualResetEventSlim isHeld = new();
        using ManualResetEventSlim mayGoOn = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        ProcessCommand command = new(
            "/bin/sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000 <&- >&- 2>&-' & wait")
        {
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start(engine);
        int descendant = int.Parse(child.WaitForLine(_ => true, Timeout.InfiniteTimeSpan).Content);
        FaultPoint.Decide = call =>
        {
            if (call == "pidfd_send_signal" && Thread.CurrentThread.Name == "ProcessRunner survey")
            {
                isHeld.Set();
                mayGoOn.Wait();
            }

            return 0;
        };
        child.Kill();
        isHeld.Wait();
        new ProcessCommand("true").Run(engine).EnsureSuccess();
        ProcessResult result = child.Wait();
        FaultPoint.Decide = null;
        mayGoOn.Set();
        Expect.Equal(1, result.SurvivingDescendants.Count, "count of survivors");
        Expect.Equal(descendant, result.SurvivingDescendants[0].ProcessId, "survivor");
        Expect.True(
            SpinWait.SpinUntil(() => NativeMethods.Kill(descendant, 0) < 0, TimeSpan.FromMinutes(2)),
            "the signal is sent nevertheless");
    }
}
