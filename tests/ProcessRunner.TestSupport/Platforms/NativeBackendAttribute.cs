using System;
using Xunit.Sdk;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>
/// Marks tests of a behaviour that only a native backend has, and says why. They have the trait <c>Backend=Native</c>.
/// </summary>
/// <param name="reason">Why the portable backend cannot do it.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
[TraitDiscoverer(HoldsOnlyDiscoverer.TypeName, HoldsOnlyDiscoverer.AssemblyName)]
public sealed class NativeBackendAttribute(string reason) : HoldsOnlyAttribute(reason)
{
    public override (string Name, string Value) Trait => ("Backend", "Native");

    public override bool HoldsOn(Platform platform) => platform.IsNative;
}
