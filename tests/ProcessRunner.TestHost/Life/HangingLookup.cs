using System;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a reactor serves its children while one of its starts hangs before there is any process: in the lookup
/// of the program (<c>access</c>), or in the start of a guardian (<c>memfd_create</c>).
/// </summary>
internal sealed class HangingLookup : IScenario
{
    private static readonly TimeSpan s_generous = TimeSpan.FromMinutes(1);

    public string Name => "hanging-lookup";

    public void Play(string[] arguments)
    {
        string hangingCall = arguments[0];
        using ManualResetEventSlim hangs = new();
        using ManualResetEventSlim mayGoOn = new();
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        new ProcessCommand("true").Run(engine).EnsureSuccess();
        FaultPoint.Decide = call =>
        {
            if (call == hangingCall && IsReactor)
            {
                hangs.Set();
                mayGoOn.Wait();
            }

            return 0;
        };

        // The reactor's thread makes the starts of a batch.
        ProcessCommand command = new("true") { KillOnParentExit = hangingCall == "memfd_create" };
        BatchSummary? summary = null;
        Thread batch = new(() => summary = ProcessBatch.Run([command], new BatchOptions { Engine = engine }));
        batch.Start();
        hangs.Wait();
        using ChildProcess child =
            (new ProcessCommand("sleep", "1000") { Timeout = TimeSpan.FromMilliseconds(1) }).Start(engine);
        bool isLimitKept = SpinWait.SpinUntil(() => !child.IsRunning, s_generous);
        mayGoOn.Set();
        batch.Join();
        Expect.True(isLimitKept, "the reactor keeps the limit of a child while a start hangs");
        Expect.Equal(ProcessOutcome.TimedOut, child.Wait().Outcome, "outcome of that child");
        Expect.Equal(1, summary!.Passed, "commands that passed once their start went on");
    }

    private static bool IsReactor =>
        Thread.CurrentThread.Name?.StartsWith("ProcessRunner I/O", StringComparison.Ordinal) == true;
}
