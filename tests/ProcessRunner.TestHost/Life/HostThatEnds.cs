using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host whose engine kills its children at the host's end: <c>COUNT READY ENDING NAME VALUE DETACHED</c>. The
/// host starts that many trees, each with a descendant in its own session, and some detached children that carry the
/// variable. Then it creates the file and ends by <c>return</c>, by <c>throw</c> (on another thread, uncaught), or by
/// <c>sleep</c>, until it is killed.
/// </summary>
internal sealed class HostThatEnds : IScenario
{
    private const string Tree =
        "setsid sleep 1000 & (sleep 1000 & exec sleep 1000) & echo ready; wait; exec sleep 1000";

    public string Name => "host-that-ends";

    public void Play(string[] arguments)
    {
        int count = int.Parse(arguments[0]);
        ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        ProcessCommand tree = new("/bin/sh", "-c", Tree);
        DescendantPolicy[] policies = Enum.GetValues<DescendantPolicy>();
        ProcessGroupMode[] groups = Enum.GetValues<ProcessGroupMode>();
        for (int i = 0; i < count; i++)
        {
            ProcessCommand command =
                tree with { Descendants = policies[i % 4], GroupMode = groups[i / 4 % groups.Length] };
            command.Start(engine);
        }

        for (int i = 0; i < int.Parse(arguments[5]); i++)
        {
            ProcessCommand detached = tree with
            {
                Environment = new Dictionary<string, string?> { [arguments[3]] = arguments[4] },
            };
            detached.Start(engine).Detach();
        }

        File.WriteAllText(arguments[1], "ready");
        switch (arguments[2])
        {
            case "return":
                return;

            case "throw":
                new Thread(() => throw new InvalidOperationException("This exception is not caught.")).Start();
                break;
        }

        Thread.Sleep(Timeout.Infinite);
    }
}
