using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// Plays a host whose batch a Ctrl-C stops: <c>READY IDLE SCRIPT</c>. The script creates a file READY.n when it runs.
/// The host reports the result of each of its two children on a line, then the result of the batch. The file IDLE
/// reports that the host runs no batch any longer.
/// </summary>
internal sealed class BatchWithInterrupts : IScenario
{
    public string Name => "batch-with-interrupts";

    public void Play(string[] arguments)
    {
        BatchResults batch = ProcessBatch.Enumerate(
            new ProcessCommand[] { new("true") }.Concat(Enumerable.Range(1, int.MaxValue).Select(number =>
                new ProcessCommand("/bin/sh", "-c", arguments[2], "sh", $"{arguments[0]}.{number}")
                {
                    StopGrace = TimeSpan.FromHours(1),
                })),
            new BatchOptions { MaxConcurrency = 2, StopOnInterrupt = true });
        foreach (BatchResult result in batch.OrderBy(result => result.Index))
        {
            Console.Out.WriteLine($"{result.Index} {result.Result!.Outcome} {result.Result.StoppedBy} "
                + $"{result.Result.ExitCode?.ToString() ?? "none"} {result.Result.SignalNumber?.ToString() ?? "none"}");
        }

        Console.Out.WriteLine(batch.StoppedBy);
        Console.Out.Flush();
        File.WriteAllText(arguments[1], "idle");
        Thread.Sleep(Timeout.Infinite);
    }
}
