using System;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that receivers are called when the process limit allows no further thread: the existing thread calls them,
/// and more threads do as soon as the limit allows.
/// </summary>
internal sealed class NoMoreThreads : IScenario
{
    private const int Children = 8;
    private const int EAGAIN = 11;

    private int _isRefused;

    public string Name => "no-more-threads";

    public void Play(string[] arguments)
    {
        if (NativeMethods.EffectiveUser() == 0)
        {
            // No limit applies to the superuser.
            NativeMethods.BecomeNobody();
        }

        using ProcessEngine engine = new();
        using ManualResetEventSlim isBlocked = new();
        using ManualResetEventSlim mayGoOn = new();
        ChildProcess[] children = [.. Enumerable.Range(0, Children).Select(_ => Child(() => { }).Start(engine))];
        ChildProcess blocker = Child(() =>
        {
            isBlocked.Set();
            mayGoOn.Wait();
        }).Start(engine);
        ChildProcess lonely = (Child(() => { }) with { StandardError = OutputTarget.Null }).Start(engine);
        ChildProcess[] late = [.. Enumerable.Range(0, Children).Select(_ => Child(() => { }).Start(engine))];

        ulong before = NativeMethods.SetProcessLimit(1);
        int threads = engine.ThreadCount;
        ExpectEnds(children);
        Expect.Equal(threads, engine.ThreadCount, "threads of the engine");

        // The existing thread does not return. The other receivers still get their turn once another thread can be
        // created, including a receiver after which nothing is posted.
        blocker.StandardInput.Write("go\n"u8);
        isBlocked.Wait();
        FaultPoint.Decide = call => call == "thread" && Interlocked.Exchange(ref _isRefused, 1) == 0 ? EAGAIN : 0;
        lonely.StandardInput.Write("go\n"u8);
        SpinWait.SpinUntil(() => Volatile.Read(ref _isRefused) == 1);
        NativeMethods.SetProcessLimit(before);
        ExpectEnds(lonely);
        Array.ForEach(late, child => child.StandardInput.Write("go\n"u8));
        ExpectEnds(late);
        Expect.True(blocker.IsRunning, "the receiver is still called");
        mayGoOn.Set();
        ExpectEnds(blocker);
        ExpectThreadForEach(engine);
    }

    // Several jobs lack a thread at once, and their receivers wait for each other. Each job gets a thread when the
    // limit allows.
    private static void ExpectThreadForEach(ProcessEngine engine)
    {
        const int MostRefusals = 50;
        using CountdownEvent allAreCalled = new(Children);
        int refusals = 0;
        FaultPoint.Decide = call =>
            call == "thread" && Interlocked.Increment(ref refusals) <= MostRefusals ? EAGAIN : 0;
        ChildProcess[] children = [.. Enumerable.Range(0, Children).Select(_ => Child(() =>
        {
            allAreCalled.Signal();
            allAreCalled.Wait();
        }).Start(engine))];
        ExpectEnds(children);
        FaultPoint.Decide = null;
    }

    private static ProcessCommand Child(Action receive) =>
        new ProcessCommand("/bin/sh", "-c", "read go; echo text; echo more >&2") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.ToLines(_ => receive()),
            StandardError = OutputTarget.ToBytes(_ => { }),
        };

    private static void ExpectEnds(params ChildProcess[] children)
    {
        foreach (ChildProcess child in children)
        {
            child.StandardInput.Write("go\n"u8);
        }

        foreach (ChildProcess child in children)
        {
            Expect.Equal(0, child.Wait().ExitCode, "exit code");
        }
    }
}
