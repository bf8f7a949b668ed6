using System.Runtime.InteropServices;

namespace ProcessRunner.Backends.Simulated;

/// <summary>Describes what one simulated child does.</summary>
internal interface ISimulation
{
    /// <summary>Throws if the next attempt to start the child fails.</summary>
    /// <exception cref="LaunchException">The attempt fails.</exception>
    void Start();

    /// <summary>
    /// Plays the child on a thread of its own. The child exits with the code that this returns, unless it has ended
    /// before.
    /// </summary>
    /// <exception cref="System.IO.IOException">The child ended meanwhile.</exception>
    int Play(SimulatedProcess process);

    /// <summary>Gets whether <see cref="OnSignal"/> decides. Otherwise a signal ends the child.</summary>
    bool HandlesSignals { get; }

    /// <summary>
    /// Decides what a signal does that can be handled, and that ends a program by default. Called on a thread of the
    /// child, for one signal at a time.
    /// </summary>
    /// <returns>The status with which it ends the child, or null if the child goes on.</returns>
    ExitStatus? OnSignal(PosixSignal signal);
}
