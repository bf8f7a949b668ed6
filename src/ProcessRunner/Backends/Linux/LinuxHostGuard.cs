using System.Linq;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Linux;

/// <summary>Has the guardian of an engine kill its children if this process ends.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxHostGuard(LinuxFamily family, ReactorGroup reactors) : HostGuard
{
    public override void Begin() => family.Guard(reactors.Children.Cast<LinuxChild>());

    public override void End() => family.EndGuard();
}
