using System;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that a reactor that starts one child of a batch after the other looks at its children in between, although
/// no start alone takes long enough for the watchdog.
/// </summary>
internal sealed class SlowStarts : IScenario
{
    private const int Starts = 300;

    private static readonly TimeSpan s_start = TimeSpan.FromMilliseconds(20);

    public string Name => "slow-starts";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        using ManualResetEvent never = new(initialState: false);
        ProcessCommand sleeper = new("sleep", "1000");
        ChildProcess stranger = (sleeper with { Timeout = TimeSpan.FromMilliseconds(500) }).Start(engine);
        int starts = 0;
        FaultPoint.Decide = call =>
        {
            if (call == "clone")
            {
                Interlocked.Increment(ref starts);
                never.WaitOne(s_start);
            }

            return 0;
        };
        BatchOptions options = new() { Engine = engine, MaxConcurrency = Starts };
        BatchResults batch = ProcessBatch.Enumerate(Enumerable.Repeat(sleeper, Starts), options);
        Thread reader = new(() => _ = batch.Count()) { IsBackground = true };
        reader.Start();
        ProcessOutcome outcome = stranger.WaitAsync().GetAwaiter().GetResult().Outcome;
        int startsUntilThen = Volatile.Read(ref starts);
        FaultPoint.Decide = null;
        batch.RequestStop();
        reader.Join();
        Expect.Equal(ProcessOutcome.TimedOut, outcome, "outcome of the stranger");
        Expect.True(
            startsUntilThen < Starts / 2, $"its time limit holds between the starts: {startsUntilThen} came first");
    }
}
