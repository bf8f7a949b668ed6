using ProcessRunner.Backends.Simulated;

namespace ProcessRunner.Backends;

/// <summary>Describes the settings of a backend.</summary>
/// <param name="IsNative">Whether the backend uses the system calls of this system.</param>
/// <param name="ReactorCount">The number of I/O threads.</param>
/// <param name="TakesEnvironmentOnce">Whether all children inherit the environment of this moment.</param>
/// <param name="InheritsDescriptorLimit">
/// Whether children get the limit of descriptors that the runtime has raised.
/// </param>
/// <param name="KillsChildrenOnExit">Whether the children are killed when this process ends, in any way.</param>
/// <param name="Simulator">Answers the starts in place of the system, or null.</param>
internal readonly record struct BackendOptions(
    bool IsNative,
    int ReactorCount,
    bool TakesEnvironmentOnce,
    bool InheritsDescriptorLimit,
    bool KillsChildrenOnExit,
    ISimulator? Simulator = null);
