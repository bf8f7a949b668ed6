using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Listens before the first run, whose report publishes the instruments and so calls the listeners. The scenario has
/// its own process, because instruments are published once in a process.
/// </summary>
internal sealed class FirstListener : IScenario
{
    private const string Library = "ProcessRunner";
    private const int Instruments = 9;

    private static readonly ProcessCommand s_command = new("/bin/sh", "-c", "exit 3");

    public string Name => "first-listener";

    public void Play(string[] arguments)
    {
        if (arguments[0] == "throws")
        {
            Throw();
        }
        else
        {
            RunAnotherChild();
        }
    }

    private static void Throw()
    {
        using CountdownEvent calls = new(Instruments + 1);
        Listen(
            () =>
            {
                calls.Signal();
                throw new FormatException();
            },
            () =>
            {
                Expect.Equal(3, s_command.Run().ExitCode, "exit code of the first run");
                calls.Wait();
                Expect.Equal(3, s_command.Run().ExitCode, "exit code of a later run");
            });
    }

    // The first run is a command of a batch, which a reactor starts.
    private static void RunAnotherChild()
    {
        using CountdownEvent calls = new(Instruments + 1);
        ConcurrentQueue<string> threads = new();
        Listen(
            () =>
            {
                threads.Enqueue(Thread.CurrentThread.Name ?? "no name");
                Thread other = new(() => s_command.Run());
                other.Start();
                other.Join();
                calls.Signal();
            },
            () =>
            {
                Expect.Equal(5, ProcessBatch.Enumerate(Enumerable.Repeat(s_command, 5)).Count(), "results");
                calls.Wait();
            });
        string names = string.Join(", ", threads.Distinct());
        Expect.True(
            threads.All(name => name.StartsWith("ProcessRunner delivery", StringComparison.Ordinal)),
            $"only delivery threads call listeners: {names}");
    }

    private static void Listen(Action published, Action run)
    {
        using ActivityListener activities = new()
        {
            ShouldListenTo = source =>
            {
                if (source.Name == Library)
                {
                    published();
                }

                return false;
            },
        };
        using MeterListener meters = new()
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name == Library)
                {
                    published();
                }
            },
        };
        ActivitySource.AddActivityListener(activities);
        meters.Start();
        run();
    }
}
