using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Repeats a run and lets another system call fail each time, as the tests of SQLite do: the first call, the second,
/// and so on until the run makes no further call. The sweep covers each call of the run and each error of the call.
/// Each run must end in time with the right result or a typed error, and leave nothing behind. The arguments are the
/// name of the run and, optionally, <c>ended</c>: the library sees no child before it has ended.
/// </summary>
internal sealed class FaultSweep : IScenario
{
    private const int InARow = 3;

    // A survey of the process table makes as many calls as the machine has processes.
    private const int EachOneUntil = 16;

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    private static readonly Dictionary<string, Action<ProcessEngine>> s_runs =
        SweptRuns.All.Concat(SweptUserCode.All).ToDictionary();

    private bool _seesOnlyEnded;

    public string Name => "fault-sweep";

    public void Play(string[] arguments)
    {
        _seesOnlyEnded = arguments.Length > 1 && arguments[1] == "ended";
        Action<ProcessEngine> run = s_runs[arguments[0]];
        ConcurrentDictionary<string, int> calls = [];

        // The runtime keeps its pipe for signals, which a thread of the library opens some time after the first start.
        PosixSignalRegistration.Create(PosixSignal.SIGCONT, static _ => { }).Dispose();

        // The first run creates the process-wide objects, which stay.
        Expect.Equal(null, Failure(run, fault: null, calls), "failure of the first run");
        Play(run, fault: null, calls);
        int runs = 0;
        int felt = 0;
        foreach (string call in calls.Keys.Order())
        {
            foreach ((int error, int count) in
                Fault.ErrorsOf(call).SelectMany(error => new[] { (error, 1), (error, InARow) }))
            {
                bool hasPassed = false;
                for (int n = 1; !hasPassed; n += 1 + (n / EachOneUntil))
                {
                    Fault fault = new(call, error, n, count);
                    runs++;
                    felt += Play(run, fault, calls) ? 0 : 1;
                    hasPassed = !fault.HasPassed;
                }
            }
        }

        Console.WriteLine(
            $"{arguments[0]}: {runs} runs, of which {felt} ended with a typed error; "
            + $"calls: {string.Join(", ", calls.Keys.Order())}");
        Expect.True(runs > 10, "the sweep has calls to fail");
    }

    // Returns whether the result was right; otherwise, the error was typed.
    private bool Play(Action<ProcessEngine> run, Fault? fault, ConcurrentDictionary<string, int> calls)
    {
        string when = $"with {fault?.ToString() ?? "no fault"}";
        string descriptors = OpenDescriptors.Describe();
        Exception? failure = null;
        Thread thread = new(() => failure = Failure(run, fault, calls)) { IsBackground = true };
        thread.Start();
        Expect.True(thread.Join(s_patience), $"the run ends {when}");
        FaultPoint.Decide = null;
        if (failure is not null && (fault is null || fault.IsHarmless || !IsTyped(failure, fault)))
        {
            throw new InvalidOperationException($"It fails {when}.", failure);
        }

        LibraryThreads.ExpectNone(when);
        Expect.True(!NativeMethods.HasChildren, $"no child is left {when}");

        ExpectNoneBeside(descriptors, when);
        return failure is null;
    }

    // The runtime may close a descriptor of its own meanwhile, and the process-wide objects hold some for a moment.
    private static void ExpectNoneBeside(string descriptors, string when)
    {
        string[] left = [];
        bool isNoneLeft = SpinWait.SpinUntil(
            () => (left = [.. OpenDescriptors.Describe().Split('\n').Except(descriptors.Split('\n'))]).Length == 0,
            s_patience);
        Expect.True(isNoneLeft, $"no descriptor is left {when}: {string.Join(", ", left)}");
    }

    private Exception? Failure(Action<ProcessEngine> run, Fault? fault, ConcurrentDictionary<string, int> calls)
    {
        ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        int starter = Environment.CurrentManagedThreadId;
        try
        {
            FaultPoint.Decide = call =>
            {
                if (_seesOnlyEnded && call == "waitid" && Environment.CurrentManagedThreadId == starter)
                {
                    NativeMethods.AwaitEndOfAChild();
                }

                calls.AddOrUpdate(call, 1, (_, count) => count + 1);
                return fault?.Decide(call) ?? 0;
            };
            run(engine);
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
        finally
        {
            engine.Dispose();
        }
    }

    // An inaccessible process may belong to anybody.
    private static bool IsTyped(Exception exception, Fault fault) =>
        exception is ProcessStartException or OutOfMemoryException or IOException
        || (exception is UnauthorizedAccessException && fault.IsDenial);
}
