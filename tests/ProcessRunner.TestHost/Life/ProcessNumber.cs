using System;
using System.Diagnostics;
using System.IO;

namespace ProcessRunner.TestHost.Life;

/// <summary>Chooses the number of the next process in the PID namespace of this host.</summary>
internal static class ProcessNumber
{
    private const string Last = "/proc/sys/kernel/ns_last_pid";

    // A thread of the runtime that holds the number returns it at its end. The one that compiles code again ends after
    // 4 s without work, and the attempts can be work for it.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(4);

    /// <summary>
    /// Gets whether a process can choose a number. A kernel without CONFIG_CHECKPOINT_RESTORE does not allow it.
    /// </summary>
    public static bool CanBeChosen => File.Exists(Last);

    /// <summary>Starts a process that sleeps and has a given number.</summary>
    public static ChildProcess StartAs(int number, ProcessEngine engine)
    {
        // The engine's threads have numbers as well, for good.
        new ProcessCommand("true").Run(engine);
        long begin = Stopwatch.GetTimestamp();
        do
        {
            File.WriteAllText(Last, $"{number - 1}");
            ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
            if (child.ProcessId == number)
            {
                return child;
            }

            child.Dispose();
        }
        while (Stopwatch.GetElapsedTime(begin) < s_patience);

        throw new InvalidOperationException($"No process got the number {number}.");
    }
}
