using System;
using System.IO;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host that forwards Ctrl-C and runs a script twice, one run after the other: <c>CHILD-READY SCRIPT</c>. The
/// first file gets the number of the run. A file beside it reports that the start has returned.
/// </summary>
internal sealed class HostWithChildrenInTurn : IScenario
{
    public string Name => "host-with-children-in-turn";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ForwardInterrupt = true });
        for (int number = 0; number < 2; number++)
        {
            string ready = $"{arguments[0]}.{number}";
            using ChildProcess child = new ProcessCommand("/bin/sh", "-c", arguments[1], "sh", ready).Start(engine);
            File.WriteAllText(ready + ".host", "started");
            ProcessResult result = child.Wait();
            Console.Out.WriteLine($"{result.Outcome} {result.StoppedBy} {result.ExitCode}");
        }

        Console.Out.Flush();
    }
}
