using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using ProcessRunner.Faults;
using ProcessRunner.TestHost.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a child that has ended is not stopped by what comes later, although no thread has seen the end yet. A
/// process that was suspended is in this state, or one whose threads get no processor. Here the reactor, and the thread
/// that waits for the child, are held up where they wait for events.
/// </summary>
internal sealed class UnseenExit : IScenario
{
    private const int Repetitions = 20;

    private readonly Stall _reactor = new("epoll_wait");
    private readonly Stall _waiter = new("poll");
    private TimeSpan _limit = TimeSpan.FromHours(1);

    public string Name => "unseen-exit";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        FaultPoint.Decide = call => _reactor.Decide(call) + _waiter.Decide(call);
        ProcessCommand command = new("sleep", "1000");
        ProcessCommand limited = command with { Timeout = TimeSpan.FromMilliseconds(1) };
        ProcessCommand idle = command with { IdleTimeout = TimeSpan.FromMilliseconds(1) };
        for (int i = 0; i < Repetitions; i++)
        {
            Play(engine, limited);
            Play(engine, idle);
            Play(engine, command, static child => child.RequestStop());
            Play(engine, command, static child => child.Kill());
            PlayWaiting(engine, limited);
            PlayWaiting(engine, idle);
        }
    }

    private void Play(ProcessEngine engine, ProcessCommand command, Action<ChildProcess>? stop = null)
    {
        HoldUpReactor(engine);
        using ChildProcess child = command.Start(engine);
        EndUnseen(child);
        stop?.Invoke(child);
        _reactor.End();
        ExpectNoStop(child.WaitAsync().GetAwaiter().GetResult());
    }

    // The reactor looks at the limit while the waiting thread has yet to see the exit.
    private void PlayWaiting(ProcessEngine engine, ProcessCommand command)
    {
        HoldUpReactor(engine);
        _waiter.Begin();
        using ChildProcess child = command.Start(engine);
        ProcessResult? result = null;
        Thread waiter = new(() => result = child.Wait());
        waiter.Start();
        _waiter.Await();
        EndUnseen(child);
        _reactor.End();
        _reactor.AwaitNextCall();
        _waiter.End();
        waiter.Join();
        ExpectNoStop(result!);
    }

    // A limit that is earlier than all others wakes the reactor, which then waits for events again.
    private void HoldUpReactor(ProcessEngine engine)
    {
        _reactor.Begin();
        _limit -= TimeSpan.FromSeconds(1);
        _ = (new ProcessCommand("true") { Timeout = _limit }).RunAsync(engine);
        _reactor.Await();
    }

    private static void EndUnseen(ChildProcess child)
    {
        long start = Stopwatch.GetTimestamp();
        _ = NativeMethods.Kill(child.ProcessId, NativeMethods.SIGTERM);
        while (!IsZombie(child.ProcessId) || Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(5))
        {
            Thread.Sleep(1);
        }
    }

    private static bool IsZombie(int processId)
    {
        string stat = File.ReadAllText($"/proc/{processId}/stat");
        return stat[stat.LastIndexOf(')') + 2] == 'Z';
    }

    private static void ExpectNoStop(ProcessResult result)
    {
        Expect.Equal(StopCause.None, result.StoppedBy, "cause of a stop after the end");
        Expect.Equal(ProcessOutcome.Signaled, result.Outcome, "outcome");
        Expect.Equal(NativeMethods.SIGTERM, result.SignalNumber, "signal");
    }
}
