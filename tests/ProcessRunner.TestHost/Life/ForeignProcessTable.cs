using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host in a PID namespace that still sees the /proc of the outer namespace, whose numbers belong to other
/// processes. A descendant that left has a number outside. Inside, a bystander has the same number and must live:
/// <c>DIRECTORY WAY</c>. The way ends the descendant: <c>stop</c> by a stop of its child, <c>guardian</c> by the
/// guardian of its engine.
/// </summary>
internal sealed class ForeignProcessTable : IScenario
{
    private const string Variable = "FOREIGN_PROCESS_TABLE";

    public string Name => "foreign-process-table";

    public void Play(string[] arguments)
    {
        if (!ProcessNumber.CanBeChosen)
        {
            return;
        }

        string escaped = Path.Combine(arguments[0], "escaped");
        ProcessCommand command = new(
            "/bin/sh",
            "-c",
            "setsid sh -c 'echo >\"$0\"; exec sleep 1000' \"$1\" >/dev/null 2>&1 & sleep 1000",
            "sh",
            escaped)
        {
            Environment = new Dictionary<string, string?> { [Variable] = escaped },
        };
        using ProcessEngine guarded = new(new ProcessEngineOptions { KillChildrenOnExit = arguments[1] == "guardian" });
        using ChildProcess child = command.Start(guarded);
        int outer = NumberOutside(escaped);
        using ProcessEngine engine = new();
        using ChildProcess bystander = ProcessNumber.StartAs(outer, engine);
        if (arguments[1] == "guardian")
        {
            guarded.Dispose();
        }

        ProcessResult result = child.Stop(TimeSpan.Zero);
        Expect.Equal(ProcessOutcome.Canceled, result.Outcome, "outcome");
        Expect.True(!bystander.TryWait(TimeSpan.FromSeconds(1), out _), "a bystander lives");
        ProcessResult report =
            new ProcessCommand("/bin/sh", "-c", "exit 7") { Descendants = DescendantPolicy.Report }.Run();
        Expect.Equal(7, report.ExitCode, "exit code");
        Expect.Equal(0, report.SurvivingDescendants.Count, "descendants that are known");
    }

    // The end of a namespace's process 1 kills all other processes in it.
    private static int NumberOutside(string value)
    {
        for (int i = 0; i < 3000; i++)
        {
            foreach (string directory in
                Directory.EnumerateDirectories("/proc").Where(path => char.IsAsciiDigit(path[^1])))
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
                    // The process is gone, or belongs to another user.
                }
            }

            Thread.Sleep(10);
        }

        throw new InvalidOperationException("The escaped process was not found outside.");
    }
}
