using System;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that nothing hangs, no status is guessed and no stranger is signaled when SIGCHLD is ignored, so that the
/// kernel reaps every child.
/// </summary>
internal sealed class IgnoredChildSignal : IScenario
{
    private const int SIGCHLD = 17;
    private const int SIG_IGN = 1;

    public string Name => "ignored-child-signal";

    public void Play(string[] arguments)
    {
        NativeMethods.SetSignalAction(SIGCHLD, SIG_IGN);

        // Only a child that makes its own system calls can have this setting.
        if (!AppContext.TryGetSwitch("ProcessRunner.UsePosixSpawn", out bool isForbidden) || !isForbidden)
        {
            ProcessCommand nice = new("nice") { Nice = 19 };
            Expect.Equal("19\n", nice.Run().StandardOutput.Text, "nice value");
        }

        for (int i = 0; i < 100; i++)
        {
            ProcessResult result = new ProcessCommand("/bin/sh", "-c", "echo text; exit 5").Run();
            Expect.Equal("text\n", result.StandardOutput.Text, "output");
            Expect.True(
                (result.Outcome, result.ExitCode) is (ProcessOutcome.StatusLost, null) or (ProcessOutcome.Exited, 5),
                "a code is exact or lost");
        }

        using ChildProcess sleeper = new ProcessCommand("sleep", "1000").Start();
        Expect.True(!sleeper.TryWait(TimeSpan.Zero, out _), "a sleeping child has not ended");
        sleeper.Kill();
        Expect.Equal(ProcessOutcome.Canceled, sleeper.Wait().Outcome, "outcome of a killed child");
        Expect.True(!sleeper.Signal((System.Runtime.InteropServices.PosixSignal)9), "no process is left to signal");
    }
}
