using System.Threading;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Continues the asynchronous code of a simulated user as an event of the world.</summary>
internal sealed class WorldContext(World world) : SynchronizationContext
{
    public override void Post(SendOrPostCallback d, object? state) =>
        world.Arm(new Happening("user", "continues", () => d(state)), world.Now);
}
