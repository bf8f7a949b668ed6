using System;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that a run is stopped later and for the same reason if memory for the stop is missing for a while, and that
/// nothing spins meanwhile.
/// </summary>
internal sealed class StopsWithoutMemory : IScenario
{
    private const int ENOMEM = 12;
    private const int Refusals = 20;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);

    private int _looks;
    private int _refused;
    private long _first;
    private long _last;

    public string Name => "stops-without-memory";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new();
        StopBehindTheExit(engine);
        PassTheTimeLimit(engine);
    }

    // A descendant holds the output of an ended child. The stop ends the wait for the output, but is not the cause of
    // the end.
    private void StopBehindTheExit(ProcessEngine engine)
    {
        ProcessCommand command = new ProcessCommand("/bin/sh", "-c", "read go; sleep 1000 & echo $!; exit 6") with
        {
            StandardInput = InputSource.Pipe,
            Descendants = DescendantPolicy.Leave,
            DrainGrace = Timeout.InfiniteTimeSpan,
        };
        using ChildProcess child = command.Start(engine);
        FaultPoint.Decide = call => call == "waitid" ? Interlocked.Increment(ref _looks) * 0 : 0;
        child.StandardInput.Write("go\n"u8);

        // The look holds the child's gate, which a stop waits for.
        Expect.True(
            SpinWait.SpinUntil(() => Volatile.Read(ref _looks) > 0, TimeSpan.FromMinutes(2)), "the exit is looked at");
        FaultPoint.Decide = Refuse;
        ProcessResult result = child.Stop(TimeSpan.FromSeconds(30));
        FaultPoint.Decide = null;
        _ = NativeMethods.Kill(int.Parse(result.StandardOutput.Text), 9);
        ExpectPauses();
        Expect.Equal(6, result.ExitCode, "exit code");
        Expect.Equal(StopCause.None, result.StoppedBy, "cause of a stop after the exit");
    }

    private void PassTheTimeLimit(ProcessEngine engine)
    {
        ProcessCommand command = new ProcessCommand("sleep", "1000") with { Timeout = TimeSpan.FromSeconds(0.2) };
        using ChildProcess child = command.Start(engine);
        _refused = 0;
        FaultPoint.Decide = Refuse;
        ProcessResult result = child.Wait();
        FaultPoint.Decide = null;
        ExpectPauses();
        Expect.Equal(StopCause.Timeout, result.StoppedBy, "cause of the stop");
    }

    private int Refuse(string call)
    {
        if (call != FaultPoint.ManagedMemory || _refused == Refusals)
        {
            return 0;
        }

        _last = Stopwatch.GetTimestamp();
        _first = _refused++ == 0 ? _last : _first;
        return ENOMEM;
    }

    // The attempts cannot come faster, however slow the machine is.
    private void ExpectPauses()
    {
        Expect.Equal(Refusals, _refused, "refusals");
        TimeSpan all = Stopwatch.GetElapsedTime(_first, _last);
        Expect.True(all >= (Refusals - 2) * s_pause, $"a pause follows each refusal: {all} in total");
    }
}
