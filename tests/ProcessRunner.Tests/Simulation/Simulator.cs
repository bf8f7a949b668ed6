using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using Xunit.Sdk;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Plays schedules, and shows the first one in which something does not hold.</summary>
internal static class Simulator
{
    // Every schedule is played on a thread of its world, and real tests run beside.
    static Simulator() => Surroundings.Simulated = new SimulatedSurroundings();

    /// <summary>Returns the number of schedules: that of <c>SIMULATION_SCHEDULES</c>, or another.</summary>
    public static int CountOr(int usual) =>
        Environment.GetEnvironmentVariable("SIMULATION_SCHEDULES") is string count
            ? int.Parse(count, CultureInfo.InvariantCulture)
            : usual;

    /// <summary>Plays many schedules on all processors, or that of <c>SIMULATION_SEED</c> alone.</summary>
    /// <param name="count">The number of schedules.</param>
    /// <param name="play">Plays the schedule of a world.</param>
    public static void Play(int count, Action<World> play)
    {
        if (Environment.GetEnvironmentVariable("SIMULATION_SEED") is string seed)
        {
            Show(ulong.Parse(seed, CultureInfo.InvariantCulture), play);
            return;
        }

        long next = 0;
        ulong failed = ulong.MaxValue;
        Lock gate = new();
        Thread[] threads = new Thread[Environment.ProcessorCount];
        for (int i = 0; i < threads.Length; i++)
        {
            threads[i] = new Thread(() =>
            {
                for (long number; (number = Interlocked.Increment(ref next)) <= count && failed == ulong.MaxValue;)
                {
                    if (TryPlay((ulong)number, play, log: null) is not null)
                    {
                        lock (gate)
                        {
                            failed = Math.Min(failed, (ulong)number);
                        }
                    }
                }
            });
            threads[i].Start();
        }

        Array.ForEach(threads, thread => thread.Join());
        if (failed != ulong.MaxValue)
        {
            Show(failed, play);
            throw new XunitException($"Seed {failed} fails only once: it does not determine the schedule.");
        }
    }

    private static void Show(ulong seed, Action<World> play)
    {
        List<string> log = [];
        Exception? failure = null;
        Thread thread = new(() => failure = TryPlay(seed, play, log));
        thread.Start();
        thread.Join();
        if (failure is not null)
        {
            throw new XunitException(string.Join(
                Environment.NewLine,
                [failure.Message, $"SIMULATION_SEED={seed} plays this schedule again:", .. log, failure.ToString()]));
        }
    }

    private static Exception? TryPlay(ulong seed, Action<World> play, List<string>? log)
    {
        World world = new(seed, log);
        try
        {
            play(world);
            return world.Failure;
        }
        catch (Exception exception)
        {
            return world.Failure ?? exception;
        }
        finally
        {
            World.Leave();
        }
    }
}
