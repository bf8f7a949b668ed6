using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents a timer of the simulated backend.</summary>
internal sealed class SimulatedTimer : BackendTimer
{
    private const int MostInARow = 5;

    private readonly World _world;
    private readonly Happening _expiry;
    private bool _isDisposed;
    private int _lastStep;
    private long _lastAt;
    private int _inARow;

    public SimulatedTimer(World world, Action<long> expired)
    {
        _world = world;
        _expiry = new Happening("timer", "expires", () => Expire(expired), isOnReactor: true);
    }

    public override void Set(long instant)
    {
        if (!_isDisposed)
        {
            _world.Arm(_expiry, Math.Max(instant, _world.Now));
        }
    }

    public override void Dispose()
    {
        _isDisposed = true;
        _world.Cancel(_expiry);
    }

    // A timer that is set for an instant that has passed would keep its reactor busy.
    private void Expire(Action<long> expired)
    {
        _inARow = _world.Steps == _lastStep + 1 && _world.Now == _lastAt ? _inARow + 1 : 0;
        _lastStep = _world.Steps;
        _lastAt = _world.Now;
        World.Require(_inARow < MostInARow, "A timer does not come back at once, again and again.");
        expired(_world.Now);
    }
}
