using System;
using System.Diagnostics;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Gives the threads of simulations the time and the chance of their worlds, and all others the real ones.
/// </summary>
internal sealed class SimulatedSurroundings : Surroundings
{
    private static readonly DateTimeOffset s_epoch = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);

    protected override long GetTimestamp() => World.Current is World world ? world.Now : Stopwatch.GetTimestamp();

    protected override DateTimeOffset GetUtcNow() =>
        World.Current is World world ? s_epoch + MonotonicClock.Between(0, world.Now) : DateTimeOffset.UtcNow;

    protected override double GetChance() => World.Current?.Dice.NextDouble() ?? Random.Shared.NextDouble();
}
