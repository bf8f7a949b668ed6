using System;
using Xunit.Sdk;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>
/// Marks a test, or all tests of a class, that do not hold on every platform, and says why. On the others they are
/// skipped with the reason.
/// </summary>
public abstract class HoldsOnlyAttribute(string reason) : Attribute, ITraitAttribute
{
    /// <summary>Gets why the test does not hold elsewhere.</summary>
    public string Reason => reason;

    /// <summary>Gets the name and the value of the trait.</summary>
    public abstract (string Name, string Value) Trait { get; }

    /// <summary>Returns whether the test holds on a platform.</summary>
    public abstract bool HoldsOn(Platform platform);
}
