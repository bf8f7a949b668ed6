using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host of which some children end with it and others do not: <c>FILE</c>. It writes the ids of both into the
/// file, those that end first, and waits to be killed. Children that have ended, that were detached, or that failed to
/// start come before.
/// </summary>
internal sealed class HostOfOneKilled : IScenario
{
    public string Name => "host-of-one-killed";

    public void Play(string[] arguments)
    {
        ProcessCommand sleep = new("/bin/sh", "-c", "setsid sleep 1000 & exec sleep 1000");
        ProcessCommand killed = sleep with { KillOnParentExit = true };
        (new ProcessCommand("true") { KillOnParentExit = true }).Run();
        ChildProcess detached = killed.Start();
        detached.Detach();
        ChildProcess[] ending = [.. Enumerable.Range(0, 3).Select(_ => killed.Start())];
        ChildProcess[] others = [sleep.Start(), detached];
        string temporary = arguments[0] + ".new";
        File.WriteAllLines(temporary, ending.Concat(others).Select(child => child.ProcessId.ToString()));
        File.Move(temporary, arguments[0]);
        Thread.Sleep(Timeout.Infinite);
    }
}
