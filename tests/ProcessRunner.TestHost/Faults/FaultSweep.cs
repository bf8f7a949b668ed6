using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// As SQLite is tested: a run is made again and again, and each time another call of the system fails, the first, the second,
/// until the run no longer comes so far; for each call that it makes, and for each error that this call can have. Each
/// run ends in time with the right result or a typed error, and leaves nothing.
/// </summary>
internal sealed class FaultSweep : IScenario
{
    private const int InARow = 3;

    // A look through the process table makes as many calls as the machine has processes.
    private const int EachOneUntil = 16;

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    public string Name => "fault-sweep";

    public void Play(string[] arguments)
    {
        Action<ProcessEngine> run = SweptRuns.All[arguments[0]];
        ConcurrentDictionary<string, int> calls = [];

        // What belongs to the whole process is made by the first one, and stays.
        Expect.Equal(null, Failure(run, fault: null, calls), "failure of the first run");
        Play(run, fault: null, calls);
        int runs = 0;
        int felt = 0;
        foreach (string call in calls.Keys.Order())
        {
            foreach ((int error, int count) in Fault.ErrorsOf(call).SelectMany(error => new[] { (error, 1), (error, InARow) }))
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

        Console.WriteLine($"{arguments[0]}: {runs} runs, of which {felt} ended with a typed error; calls: {string.Join(", ", calls.Keys.Order())}");
        Expect.True(runs > 10, "the sweep has something to let fail");
    }

    // Whether the result was right; else it was a typed error.
    private static bool Play(Action<ProcessEngine> run, Fault? fault, ConcurrentDictionary<string, int> calls)
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

    // The runtime may close one of its own meanwhile, and what belongs to the whole process holds some for a moment.
    private static void ExpectNoneBeside(string descriptors, string when)
    {
        string[] left = [];
        bool isNoneLeft = SpinWait.SpinUntil(
            () => (left = [.. OpenDescriptors.Describe().Split('\n').Except(descriptors.Split('\n'))]).Length == 0, s_patience);
        Expect.True(isNoneLeft, $"no descriptor is left {when}: {string.Join(", ", left)}");
    }

    private static Exception? Failure(Action<ProcessEngine> run, Fault? fault, ConcurrentDictionary<string, int> calls)
    {
        ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        try
        {
            FaultPoint.Decide = call =>
            {
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

    // A process that may not be looked at may be anybody's.
    private static bool IsTyped(Exception exception, Fault fault) =>
        exception is ProcessStartException or OutOfMemoryException or IOException
        || (exception is UnauthorizedAccessException && fault.IsDenial);
}
