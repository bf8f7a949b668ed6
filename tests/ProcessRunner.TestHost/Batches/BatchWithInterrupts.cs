using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// A host whose batch is to be stopped by Ctrl-C: <c>READY IDLE SCRIPT</c>, where the script says by a file READY.n that it
/// runs. It says what came of its two children, a line each, and of the batch; then it has no batch any more, and says so by IDLE.
/// </summary>
internal sealed class BatchWithInterrupts : IScenario
{
    public string Name => "batch-with-interrupts";

    public void Play(string[] arguments)
    {
        BatchResults batch = ProcessBatch.Run(
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
