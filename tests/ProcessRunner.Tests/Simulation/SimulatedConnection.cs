using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents a pipe between two simulated children.</summary>
internal sealed class SimulatedConnection(SimulatedPipe pipe) : PipeConnection
{
    public SimulatedPipe Pipe => pipe;

    public override void Dispose()
    {
    }
}
