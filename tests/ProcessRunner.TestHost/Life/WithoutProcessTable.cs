using System;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host in a mount namespace whose /proc is empty or unreadable (<c>denied</c>). All basics work, and runs and
/// stops have results under each policy, but descendants stay unknown.
/// </summary>
internal sealed class WithoutProcessTable : IScenario
{
    public string Name => "without-process-table";

    public void Play(string[] arguments)
    {
        Expect.Equal(
            0,
            NativeMethods.Mount("none", "/proc", "tmpfs", 0, arguments[0] == "denied" ? "mode=000" : "mode=755"),
            "mount");
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
            using ChildProcess stopped =
                new ProcessCommand("/bin/sh", "-c", "sleep 1000 & wait") { Descendants = policy }.Start();
            result = stopped.Stop();
            Expect.Equal(ProcessOutcome.Canceled, result.Outcome, $"outcome of a stop under {policy}");
        }

        new Basics().Play([]);
    }
}
