using System.Collections.Generic;

namespace PTest.Suites;

/// <summary>Represents a test as its framework lists it. Compared by reference: there is one object for each.</summary>
internal sealed class TestCase
{
    public required TestAssembly Assembly { get; init; }

    /// <summary>Gets the id by which the framework finds the test again in another process.</summary>
    public required string Id { get; init; }

    public required string ClassName { get; init; }

    public required string MethodName { get; init; }

    public required string DisplayName { get; init; }

    /// <summary>Gets the name of the tests that share fixtures with this one: a collection, or the class.</summary>
    public required string Collection { get; init; }

    /// <summary>Gets whether nothing may run beside the test.</summary>
    public bool IsExclusive { get; init; }

    /// <summary>Gets the traits, each as <c>name=value</c>.</summary>
    public IReadOnlyList<string> Traits { get; init; } = [];

    /// <summary>Gets the name that filters and the history use.</summary>
    public string FullName => $"{ClassName}.{MethodName}";

    public override string ToString() => DisplayName;
}
