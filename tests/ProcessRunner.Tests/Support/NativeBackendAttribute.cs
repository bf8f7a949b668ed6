using System;
using System.Collections.Generic;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Marks tests of a behaviour that only a native backend has, and says why. They have the trait <c>Backend=Native</c>.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
[TraitDiscoverer("ProcessRunner.Tests.Support." + nameof(NativeBackendDiscoverer), "ProcessRunner.Tests")]
public sealed class NativeBackendAttribute(string reason) : Attribute, ITraitAttribute
{
    /// <summary>Gets why the portable backend cannot do it.</summary>
    public string Reason => reason;
}

/// <summary>Gives the tests with a <see cref="NativeBackendAttribute"/> their trait.</summary>
public sealed class NativeBackendDiscoverer : ITraitDiscoverer
{
    public IEnumerable<KeyValuePair<string, string>> GetTraits(IAttributeInfo traitAttribute) =>
        [new("Backend", "Native")];
}
