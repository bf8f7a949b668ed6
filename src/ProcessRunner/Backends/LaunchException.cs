using System.ComponentModel;

namespace ProcessRunner.Backends;

/// <summary>
/// The exception for a start that failed, or for a backend that cannot be created. The message is only the reason.
/// </summary>
internal sealed class LaunchException(int error, LaunchStep step, string reason) : Win32Exception(error, reason)
{
    /// <summary>Gets the step that failed.</summary>
    public LaunchStep Step => step;
}
