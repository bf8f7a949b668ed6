using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Starts children while another process repeatedly stops and continues the group of this process: <c>MODE</c>, the
/// children's <see cref="ProcessGroupMode"/>. A child that is stopped before it has its own group does not receive the
/// group's SIGCONT, and its starter sleeps until the child reaches its program. Every start must return.
/// </summary>
internal sealed class StoppedGroup : IScenario
{
    private const int Starters = 3;
    private const int StartsOfEach = 400;

    // The script ends by itself, so that it never ends between a stop and the following SIGCONT.
    private const string Stops =
        """
        while [ ! -e "$1" ]; do
            kill -STOP "-$2"
            kill -CONT "-$2"
            i=0
            while [ $i -lt 300 ]; do i=$((i + 1)); done
        done
        """;

    public string Name => "stopped-group";

    public void Play(string[] arguments)
    {
        ProcessGroupMode mode = Enum.Parse<ProcessGroupMode>(arguments[0]);
        string end = Path.Combine(Path.GetTempPath(), $"stopped-group-{Environment.ProcessId}");
        ProcessCommand command = new("printf", "%s", "out") { GroupMode = mode };
        using ChildProcess stops = (new ProcessCommand(
            "/bin/sh", "-c", Stops, "sh", end, $"{Environment.ProcessId}") with
        {
            GroupMode = ProcessGroupMode.Session,
        }).Start();
        int right = 0;
        Thread[] starters = [.. Enumerable.Range(0, Starters).Select(_ => new Thread(() =>
        {
            for (int i = 0; i < StartsOfEach; i++)
            {
                if (command.Run() is { ExitCode: 0, StandardOutput.Text: "out" })
                {
                    Interlocked.Increment(ref right);
                }
            }
        }))];
        Array.ForEach(starters, thread => thread.Start());
        Array.ForEach(starters, thread => thread.Join());
        File.WriteAllText(end, "");
        Expect.Equal(0, stops.Wait().ExitCode, "exit code of the script that stops the group");
        File.Delete(end);
        Expect.Equal(Starters * StartsOfEach, right, "right results");
    }
}
