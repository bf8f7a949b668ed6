using System;
using Xunit.Sdk;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>
/// Marks tests of a behaviour that only some systems have, and says why. They have the trait <c>System</c> with the
/// name of these systems: <c>System=Unix</c>.
/// </summary>
/// <param name="systems">The systems on which the test holds.</param>
/// <param name="reason">Why it does not hold on others.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
[TraitDiscoverer(HoldsOnlyDiscoverer.TypeName, HoldsOnlyDiscoverer.AssemblyName)]
public sealed class OnlyOnAttribute(Systems systems, string reason) : HoldsOnlyAttribute(reason)
{
    public override (string Name, string Value) Trait => ("System", systems.ToString());

    public override bool HoldsOn(Platform platform) => systems.HasFlag(platform.System);
}
