using System.ComponentModel;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>Represents the error of a step that a new child could not take.</summary>
internal sealed class SpawnException(SpawnStep step, int error) : Win32Exception(error)
{
    /// <summary>Gets the step that failed.</summary>
    public SpawnStep Step => step;
}
