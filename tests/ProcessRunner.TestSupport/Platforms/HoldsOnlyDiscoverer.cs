using System.Collections.Generic;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>Gives the tests with a <see cref="HoldsOnlyAttribute"/> their trait.</summary>
public sealed class HoldsOnlyDiscoverer : ITraitDiscoverer
{
    internal const string TypeName = "ProcessRunner.TestSupport.Platforms." + nameof(HoldsOnlyDiscoverer);
    internal const string AssemblyName = "ProcessRunner.TestSupport";

    public IEnumerable<KeyValuePair<string, string>> GetTraits(IAttributeInfo traitAttribute)
    {
        (string name, string value) = ((HoldsOnlyAttribute)((IReflectionAttributeInfo)traitAttribute).Attribute).Trait;
        return [new(name, value)];
    }
}
