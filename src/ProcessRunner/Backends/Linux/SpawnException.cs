using System.ComponentModel;

namespace ProcessRunner.Backends.Linux;

/// <summary>The error of a step that a new child could not take.</summary>
internal sealed class SpawnException(SpawnStep step, int error) : Win32Exception(error)
{
    /// <summary>The step.</summary>
    public SpawnStep Step => step;
}
