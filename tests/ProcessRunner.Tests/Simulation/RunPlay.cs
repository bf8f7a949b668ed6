using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>One schedule of a few runs on one engine.</summary>
internal static class RunPlay
{
    private static readonly TimeSpan s_end = TimeSpan.FromMinutes(2);

    /// <summary>Plays the schedule of a seed.</summary>
    public static void Play(World world)
    {
        Dice dice = world.Dice;
        SimulatedEngine engine = new(world);
        List<SimulatedRun> runs = [];
        for (int left = dice.Percent(75) ? 1 : dice.Between(2, 3); left > 0; left--)
        {
            SimulatedRun run = new(world, engine.Backend, engine.Parts, runs.Count + 1);
            runs.Add(run);
            Happening start = new("user", $"starts {run}", run.Start);
            world.Arm(start, world.Now + (dice.Percent(50) ? 0 : dice.Ticks()));
        }

        if (dice.Percent(5))
        {
            Happening early = new("user", "ends the engine", () => EndEngine(engine, runs));
            world.Arm(early, world.Now + dice.Ticks());
        }

        Happening end = new("user", "kills the rest", () => KillRest(runs));
        world.Arm(end, MonotonicClock.After(world.Now, s_end));
        bool haveEnded = world.RunUntil(() => runs.TrueForAll(run => run.IsOver));
        world.Cancel(end);
        World.Require(haveEnded, "Every run ends.");
        engine.Settle();
        runs.ForEach(run => run.CheckEnd());
        engine.Dispose();
    }

    private static void EndEngine(SimulatedEngine engine, List<SimulatedRun> runs)
    {
        runs.ForEach(run => run.NoteEngineEnd());
        engine.End();
    }

    private static void KillRest(List<SimulatedRun> runs)
    {
        foreach (SimulatedRun run in runs)
        {
            World.Require(run.Excuse() is not null, $"Everything that can make progress does: {run} does not.");
            run.Kill();
        }
    }
}
