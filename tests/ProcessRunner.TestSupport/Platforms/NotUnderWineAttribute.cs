using System;
using Xunit.Sdk;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>
/// Marks tests of a behaviour that Windows has and Wine has not, and says what Wine lacks. They run on Windows itself,
/// and have the trait <c>Wine=No</c>.
/// </summary>
/// <param name="reason">What Wine does otherwise.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
[TraitDiscoverer(HoldsOnlyDiscoverer.TypeName, HoldsOnlyDiscoverer.AssemblyName)]
public sealed class NotUnderWineAttribute(string reason) : HoldsOnlyAttribute(reason)
{
    public override (string Name, string Value) Trait => ("Wine", "No");

    /// <summary>Gets whether the native backend has the behaviour under Wine as well.</summary>
    public bool HoldsNatively { get; init; }

    public override bool HoldsOn(Platform platform) => !platform.IsWine || (HoldsNatively && platform.IsNative);
}
