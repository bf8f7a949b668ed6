using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Starts children while signals storm on the group of this process, which handles all of them: <c>MODE SIGNALS</c>.
/// The mode is the children's <see cref="ProcessGroupMode"/>, the signals are comma-separated numbers. Every start must
/// return: a child that has not reached its program must not stay stopped, because its starter sleeps until then. A
/// child in another group must not be affected, but posix_spawn cannot prevent the child's death before it has that
/// group.
/// </summary>
internal sealed class SignalStorm : IScenario
{
    private const int OwnGroup = 0;
    private const int Starters = 3;
    private const int StartsOfEach = 300;

    // On a busy machine, the storm gets less time than the starts.
    private const int FewestSignals = 5_000;

    // Waking a stopped child takes time.
    private const int StoppedStartsOfEach = 30;

    // The runtime's handlers write to a pipe. The thread that reads the pipe writes to it as well when a signal
    // interrupts it. With a full pipe, that thread would wait for itself. The harmless SIGURG confirms that the runtime
    // has read everything before it.
    private const int RoundsAtOnce = 100;
    private const int SIGURG = 23;

    // The registrations last until the end of the process, because the runtime forwards the last signals at any time.
    private static PosixSignalRegistration[] s_registrations = [];

    private static int s_handled;

    public string Name => "signal-storm";

    public void Play(string[] arguments)
    {
        ProcessGroupMode mode = Enum.Parse<ProcessGroupMode>(arguments[0]);
        int[] signals = [.. arguments[1].Split(',').Select(text => int.Parse(text, CultureInfo.InvariantCulture))];
        s_registrations = [.. signals.Select(signal => PosixSignalRegistration.Create(
            (PosixSignal)signal,
            context =>
            {
                context.Cancel = true;
                Interlocked.Increment(ref s_handled);
            }))];
        int fences = 0;
        using PosixSignalRegistration fence = PosixSignalRegistration.Create(
            (PosixSignal)SIGURG, context => Interlocked.Increment(ref fences));
        using CancellationTokenSource done = new();
        Thread storm = new(() => Blow(signals, () => Volatile.Read(ref fences), done.Token));
        storm.Start();

        Exception? failure = null;
        Thread[] starters = [.. Enumerable.Range(0, Starters).Select(number => new Thread(() =>
        {
            try
            {
                StartMany(mode, $"{number}");
            }
            catch (Exception exception)
            {
                failure = exception;
            }
        }))];
        Array.ForEach(starters, thread => thread.Start());
        Array.ForEach(starters, thread => thread.Join());
        done.Cancel();
        storm.Join();
        Expect.Equal(null, failure, "exception of a thread");
        Expect.True(s_handled > 0, "signals came");

        Expect.Equal("", string.Join(", ", Children()), "the children that are left, zombies included");
    }

    private static bool HasEnoughSignals => Volatile.Read(ref s_handled) >= FewestSignals;

    // Excludes the guardian of a signal's moment. It is a child of the thread that starts such guardians, and may live
    // for a moment.
    private static IEnumerable<string> Children()
    {
        foreach (string task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            // An ended thread has no children: another thread has them by then.
            string children = ProcFile.Read(Path.Combine(task, "comm")) == "ProcessRunner h\n"
                ? ""
                : ProcFile.Read(Path.Combine(task, "children"));
            foreach (string child in children.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            {
                yield return child;
            }
        }
    }

    private static void StartMany(ProcessGroupMode mode, string text)
    {
        bool isByPosixSpawn = Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is not null;
        ProcessCommand command = new("printf", "%s", text) { GroupMode = mode };
        bool isMember = mode == ProcessGroupMode.Inherit;
        bool mayBeStopped = isMember || isByPosixSpawn;
        for (int i = 0; mayBeStopped ? i < StoppedStartsOfEach : i < StartsOfEach || !HasEnoughSignals; i++)
        {
            using ChildProcess child = command.Start();
            if (isMember)
            {
                child.Kill();
            }

            ProcessResult result = child.Wait();
            if (!isMember && !(isByPosixSpawn && result.SignalNumber is not null))
            {
                Expect.Equal(null, result.SignalNumber, "the signal that ended a child");
                Expect.Equal(text, result.StandardOutput.Text, "standard output");
            }
        }
    }

    private static void Blow(IReadOnlyList<int> signals, Func<int> fences, CancellationToken done)
    {
        for (int round = 1; !done.IsCancellationRequested; round++)
        {
            foreach (int signal in signals)
            {
                _ = NativeMethods.Kill(OwnGroup, signal);
            }

            if (round % RoundsAtOnce == 0)
            {
                int before = fences();
                _ = NativeMethods.Kill(Environment.ProcessId, SIGURG);
                SpinWait.SpinUntil(() => fences() > before || done.IsCancellationRequested);
            }
        }
    }
}
