using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents a timer of the simulated backend.</summary>
internal sealed class SimulatedTimer : BackendTimer
{
    private readonly World _world;
    private readonly Happening _expiry;
    private bool _isDisposed;

    public SimulatedTimer(World world, Action<long> expired)
    {
        _world = world;
        _expiry = new Happening("timer", "expires", () => expired(world.Now), isOnReactor: true);
    }

    public override void Set(long instant)
    {
        if (!_isDisposed)
        {
            _world.Arm(_expiry, instant);
        }
    }

    public override void Dispose()
    {
        _isDisposed = true;
        _world.Cancel(_expiry);
    }
}
