using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// A host in a namespace of processes of its own that still sees the /proc of the outer one: its numbers are those of others.
/// A descendant that left has some number out there; in here a bystander has the same one, and must live: <c>DIRECTORY WAY</c>, where WAY
/// is that by which the descendant is to end, <c>stop</c> of its child or the <c>guardian</c> of its engine.
/// </summary>
internal sealed class ForeignProcessTable : IScenario
{
    private const string LastNumber = "/proc/sys/kernel/ns_last_pid";
    private const string Variable = "FOREIGN_PROCESS_TABLE";

    public string Name => "foreign-process-table";

    public void Play(string[] arguments)
    {
        if (!File.Exists(LastNumber))
        {
            // A kernel without CONFIG_CHECKPOINT_RESTORE gives nobody a number of his choice.
            return;
        }

        string escaped = Path.Combine(arguments[0], "escaped");
        ProcessCommand command = new(
            "/bin/sh", "-c", "setsid sh -c 'echo >\"$0\"; exec sleep 1000' \"$1\" >/dev/null 2>&1 & sleep 1000", "sh", escaped)
        {
            Environment = new Dictionary<string, string?> { [Variable] = escaped },
        };
        using ProcessEngine guarded = new(new ProcessEngineOptions { KillChildrenOnExit = arguments[1] == "guardian" });
        using ChildProcess child = command.Start(guarded);
        int outer = NumberOutside(escaped);
        using ProcessEngine engine = new();
        using ChildProcess bystander = StartAs(outer, engine);
        if (arguments[1] == "guardian")
        {
            guarded.Dispose();
        }

        ProcessResult result = child.Stop(TimeSpan.Zero);
        Expect.Equal(ProcessOutcome.Canceled, result.Outcome, "outcome");
        Expect.True(!bystander.TryWait(TimeSpan.FromSeconds(1), out _), "a bystander lives");
        ProcessResult report = new ProcessCommand("/bin/sh", "-c", "exit 7") { Descendants = DescendantPolicy.Report }.Run();
        Expect.Equal(7, report.ExitCode, "exit code");
        Expect.Equal(0, report.SurvivingDescendants.Count, "descendants that are known");
    }

    // The process 1 of a namespace takes all others with it.
    private static int NumberOutside(string value)
    {
        for (int i = 0; i < 3000; i++)
        {
            foreach (string directory in Directory.EnumerateDirectories("/proc").Where(path => char.IsAsciiDigit(path[^1])))
            {
                try
                {
                    if (File.ReadAllText(Path.Combine(directory, "comm")) == "sleep\n"
                        && File.ReadAllText(Path.Combine(directory, "environ")).Contains($"{Variable}={value}")
                        && File.ReadAllText(Path.Combine(directory, "stat")).Split(' ') is var stat
                        && stat[0] == stat[5])
                    {
                        return int.Parse(Path.GetFileName(directory));
                    }
                }
                catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
                {
                    // Gone, or another user's.
                }
            }

            Thread.Sleep(10);
        }

        throw new InvalidOperationException("The one that left was not found outside.");
    }

    private static ChildProcess StartAs(int number, ProcessEngine engine)
    {
        // The engine's threads have numbers as well, for good. One of the runtime's that takes this one gives it back in a while.
        new ProcessCommand("true").Run(engine);
        for (int i = 0; i < 100; i++)
        {
            File.WriteAllText(LastNumber, $"{number - 1}");
            ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
            if (child.Id == number)
            {
                return child;
            }

            child.Dispose();
        }

        throw new InvalidOperationException($"No process got the number {number}.");
    }
}
