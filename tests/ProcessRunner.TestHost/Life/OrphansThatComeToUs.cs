using System;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host that receives orphans, as process 1 or as a subreaper (<c>subreaper</c>). A descendant in its own
/// session must still be found and killed, and the host's other children must be left alone.
/// </summary>
internal sealed class OrphansThatComeToUs : IScenario
{
    private const int PR_SET_CHILD_SUBREAPER = 36;

    public string Name => "orphans-that-come-to-us";

    public void Play(string[] arguments)
    {
        if (arguments[0] == "subreaper")
        {
            Expect.Equal(0, NativeMethods.ProcessControl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl");
        }
        else
        {
            Expect.Equal(1, Environment.ProcessId, "process id of the host");
        }

        string escaped = arguments[1];
        using ChildProcess bystander = new ProcessCommand("sleep", "1000").Start();
        ProcessCommand command = new(
            "/bin/sh",
            "-c",
            "setsid sh -c 'echo $$ >\"$0\"; exec sleep 1000' \"$1\" >/dev/null 2>&1 & sleep 1000",
            "sh",
            escaped);
        using ChildProcess child = command.Start();
        for (int i = 0; i < 3000 && (!File.Exists(escaped) || File.ReadAllText(escaped).Length == 0); i++)
        {
            Thread.Sleep(10);
        }

        int escapee = int.Parse(File.ReadAllText(escaped));
        ProcessResult result = child.Stop();
        bool isLeft = IsAlive(escapee);
        if (isLeft)
        {
            new ProcessCommand("kill", "-9", $"{escapee}").Run();
        }

        Expect.Equal(ProcessOutcome.Canceled, result.Outcome, "outcome");
        Expect.True(!isLeft, "the escapee is gone when the stop returns");
        Expect.True(bystander.IsRunning && IsAlive(bystander.ProcessId), "another child lives on");
    }

    private static bool IsAlive(int processId)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{processId}/stat");
            return stat[stat.LastIndexOf(')') + 2] is not ('Z' or 'X');
        }
        catch (IOException)
        {
            return false;
        }
    }
}
