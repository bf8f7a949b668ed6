using System;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// A host whose batch is to be killed by a second Ctrl-C while one start is under way: <c>READY</c>, the file by which the
/// first child says that it runs; READY.term says that it ignores its stop signal, READY.starting that the second one is
/// being started. That start goes on when the first child is gone, so after the kill.
/// </summary>
internal sealed class BatchKilledInAStart : IScenario
{
    private const string Deaf = "trap 'echo >\"$1\".term' TERM; echo >\"$1\"; while :; do sleep 0.01; done";

    public string Name => "batch-killed-in-a-start";

    public void Play(string[] arguments)
    {
        using ManualResetEventSlim isFirstGone = new();
        using ProcessEngine engine = new(new ProcessEngineOptions
        {
            Trace = line =>
            {
                if (line.Contains("second", StringComparison.Ordinal))
                {
                    File.WriteAllText($"{arguments[0]}.starting", "");
                    isFirstGone.Wait();
                }
            },
        });
        TimeSpan grace = TimeSpan.FromHours(1);
        ProcessCommand[] commands =
        [
            new("/bin/sh", "-c", Deaf, "sh", arguments[0]) { StopGrace = grace },
            new("/bin/sh", "-c", "trap '' TERM; exec sleep 1000", "second") { StopGrace = grace },
        ];
        foreach (BatchResult result in ProcessBatch.Run(
            commands, new BatchOptions { Engine = engine, MaxConcurrency = 2, StopOnInterrupt = true }))
        {
            Console.Out.WriteLine(
                $"{result.Index} {result.Result!.Outcome} {result.Result.StoppedBy} {result.Result.SignalNumber}");
            isFirstGone.Set();
        }
    }
}
