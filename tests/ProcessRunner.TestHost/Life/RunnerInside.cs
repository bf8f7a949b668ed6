using System;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host that another runner runs: it starts children in their own sessions, writes their ids to a file and
/// waits for them.
/// </summary>
internal sealed class RunnerInside : IScenario
{
    public string Name => "runner-inside";

    public void Play(string[] arguments)
    {
        ProcessCommand sleeper = new("sleep", "1000") { GroupMode = ProcessGroupMode.Session };
        ChildProcess[] children = [.. Enumerable.Range(0, 3).Select(_ => sleeper.Start())];
        File.WriteAllText(arguments[0] + ".new", string.Join(' ', children.Select(child => child.ProcessId)));
        File.Move(arguments[0] + ".new", arguments[0]);
        if (arguments.Length == 1)
        {
            Array.ForEach(children, child => child.Wait());
        }
    }
}
