using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Windows;

/// <summary>Lets the jobs of the children kill them if this process ends.</summary>
/// <param name="reactors">The reactors, which know the children.</param>
[SupportedOSPlatform("windows")]
internal sealed class WindowsHostGuard(ReactorGroup reactors) : HostGuard
{
    private volatile bool _isActive;

    /// <summary>Gets whether the children are killed if this process ends now.</summary>
    public bool IsActive => _isActive;

    public override void Begin()
    {
        _isActive = true;
        Apply();
    }

    public override void End()
    {
        if (_isActive)
        {
            _isActive = false;
            Apply();
        }
    }

    // A child that is started meanwhile asks once it has its job.
    private void Apply()
    {
        foreach (BackendChild child in reactors.Children)
        {
            using (Uninterruptible.Lock(child.Gate))
            {
                ((WindowsChild)child).ApplyGuard();
            }
        }
    }
}
