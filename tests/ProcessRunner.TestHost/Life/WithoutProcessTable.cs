using System;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// A host in a mount namespace of its own whose /proc is empty, or may not be read (<c>denied</c>): all that is
/// basic holds, and runs and stops have their results under each policy, only nobody knows of descendants.
/// </summary>
internal sealed class WithoutProcessTable : IScenario
{
    public string Name => "without-process-table";

    public void Play(string[] arguments)
    {
        Expect.Equal(0, NativeMethods.Mount("none", "/proc", "tmpfs", 0, arguments[0] == "denied" ? "mode=000" : "mode=755"), "mount");
        if (arguments[0] == "denied")
        {
            NativeMethods.BecomeNobody();
        }

        foreach (DescendantPolicy policy in Enum.GetValues<DescendantPolicy>())
        {
            ProcessCommand command = new("/bin/sh", "-c", "sleep 2 & exit 7")
            {
                Descendants = policy,
                DrainGrace = TimeSpan.FromMilliseconds(10),
            };
            ProcessResult result = command.Run();
            Expect.Equal(7, result.ExitCode, $"exit code under {policy}");
            Expect.Equal(0, result.SurvivingDescendants.Count, "descendants that are known");
            using ChildProcess stopped = new ProcessCommand("/bin/sh", "-c", "sleep 1000 & wait") { Descendants = policy }.Start();
            result = stopped.Stop();
            Expect.Equal(ProcessOutcome.Canceled, result.Outcome, $"outcome of a stop under {policy}");
        }

        new Basics().Play([]);
    }
}
