namespace ProcessRunner.Backends;

/// <summary>Describes the settings of a backend.</summary>
/// <param name="ReactorCount">The number of I/O threads.</param>
/// <param name="TakesEnvironmentOnce">Whether all children inherit the environment of this moment.</param>
/// <param name="InheritsDescriptorLimit">
/// Whether children get the limit of descriptors that the runtime has raised.
/// </param>
/// <param name="KillsChildrenOnExit">Whether the children are killed when this process ends, in any way.</param>
internal readonly record struct BackendOptions(
    int ReactorCount, bool TakesEnvironmentOnce, bool InheritsDescriptorLimit, bool KillsChildrenOnExit);
