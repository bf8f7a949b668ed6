using System;
using System.IO;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// Plays a host whose batch a second Ctrl-C kills while a start is under way: <c>READY</c>. The first child creates the
/// file READY when it runs. READY.term reports that this child ignores its stop signal, and READY.starting reports that
/// the second start is under way. That start continues when the first child is gone, which is after the kill.
/// </summary>
internal sealed class BatchKilledInAStart : IScenario
{
    private const string Deaf = "trap 'echo >\"$1\".term' TERM; echo >\"$1\"; while :; do sleep 0.01; done";

    public string Name => "batch-killed-in-a-start";

    public void Play(string[] arguments)
    {
        using ManualResetEventSlim isFirstGone = new();
        int secondThread = 0;
        using ProcessEngine engine = new(new ProcessEngineOptions
        {
            // The same thread makes the start.
            Trace = line => secondThread = line.Contains("second", StringComparison.Ordinal)
                ? Environment.CurrentManagedThreadId
                : secondThread,
        });
        FaultPoint.Decide = call =>
        {
            if (call is "clone" or "posix_spawn" && Environment.CurrentManagedThreadId == secondThread)
            {
                secondThread = 0;
                File.WriteAllText($"{arguments[0]}.starting", "");
                isFirstGone.Wait();
            }

            return 0;
        };
        TimeSpan grace = TimeSpan.FromHours(1);
        ProcessCommand[] commands =
        [
            new("/bin/sh", "-c", Deaf, "sh", arguments[0]) { StopGrace = grace },
            new("/bin/sh", "-c", "trap '' TERM; exec sleep 1000", "second") { StopGrace = grace },
        ];
        foreach (BatchResult result in ProcessBatch.Enumerate(
            commands, new BatchOptions { Engine = engine, MaxConcurrency = 2, StopOnInterrupt = true }))
        {
            Console.Out.WriteLine(
                $"{result.Index} {result.Result!.Outcome} {result.Result.StoppedBy} {result.Result.SignalNumber}");
            isFirstGone.Set();
        }

        FaultPoint.Decide = null;
    }
}
