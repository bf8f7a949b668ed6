using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>One schedule of a batch.</summary>
internal static class BatchPlay
{
    private static readonly TimeSpan s_end = TimeSpan.FromMinutes(10);

    /// <summary>Plays the schedule of a seed.</summary>
    public static void Play(World world)
    {
        SimulatedEngine engine = new(world);
        SimulatedBatch batch = new(world, engine);
        Happening end = new("user", "kills the rest", () => KillRest(engine, batch));
        world.Arm(new Happening("user", "begins the batch", batch.Begin), world.Now);
        world.Arm(end, MonotonicClock.After(world.Now, s_end));
        bool hasEnded = world.RunUntil(() => batch.Reader is { IsCompleted: true } && engine.Parts.Lives.Count == 0);
        world.Cancel(end);
        World.Require(hasEnded, "Every batch ends.");
        batch.Reader!.GetAwaiter().GetResult();
        engine.Settle();
        batch.CheckEnd();
        engine.DisposeUnread();
    }

    private static void KillRest(SimulatedEngine engine, SimulatedBatch batch)
    {
        bool hangs = false;
        foreach (SimulatedChild child in engine.Backend.Live)
        {
            hangs |= child.IsStarting || child.Leader is { IsAlive: true, Current.Deed: Deed.Hang };
        }

        World.Require(hangs, "Everything that can make progress does: the batch does not.");
        batch.EndEngine();
    }
}
