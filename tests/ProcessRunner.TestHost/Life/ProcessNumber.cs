using System;
using System.IO;

namespace ProcessRunner.TestHost.Life;

/// <summary>Chooses the number of the next process in the PID namespace of this host.</summary>
internal static class ProcessNumber
{
    private const string Last = "/proc/sys/kernel/ns_last_pid";

    /// <summary>
    /// Gets whether a process can choose a number. A kernel without CONFIG_CHECKPOINT_RESTORE does not allow it.
    /// </summary>
    public static bool CanBeChosen => File.Exists(Last);

    /// <summary>Starts a process that sleeps and has a given number.</summary>
    public static ChildProcess StartAs(int number, ProcessEngine engine)
    {
        // The engine's threads have numbers as well, for good. A thread of the runtime that takes this number returns
        // it after a while.
        new ProcessCommand("true").Run(engine);
        for (int i = 0; i < 100; i++)
        {
            File.WriteAllText(Last, $"{number - 1}");
            ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
            if (child.ProcessId == number)
            {
                return child;
            }

            child.Dispose();
        }

        throw new InvalidOperationException($"No process got the number {number}.");
    }
}
