using System;
using System.IO;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host that runs a child and reports its result, one word a line: <c>FORWARD CHILD-READY SCRIPT</c>. The first
/// argument selects whether the engine forwards a Ctrl-C. A file beside the child's file reports that the start has
/// returned.
/// </summary>
internal sealed class HostWithInterrupts : IScenario
{
    public string Name => "host-with-interrupts";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ForwardInterrupt = bool.Parse(arguments[0]) });
        using ChildProcess child = new ProcessCommand("/bin/sh", "-c", arguments[2], "sh", arguments[1]).Start(engine);
        File.WriteAllText(arguments[1] + ".host", "started");
        ProcessResult result = child.Wait();
        Console.Out.WriteLine(result.StandardOutput.Text.TrimEnd());
        Console.Out.WriteLine(result.Outcome);
        Console.Out.WriteLine(result.StoppedBy);
        Console.Out.WriteLine(result.ExitCode?.ToString() ?? "none");
        Console.Out.WriteLine(result.SignalNumber?.ToString() ?? "none");
        Console.Out.Flush();
        if (arguments.Length > 3)
        {
            // Without a live child, a Ctrl-C has its usual effect.
            File.WriteAllText(arguments[3], "idle");
            System.Threading.Thread.Sleep(System.Threading.Timeout.Infinite);
        }
    }
}
