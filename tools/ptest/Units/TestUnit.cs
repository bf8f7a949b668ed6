using System;
using System.Collections.Generic;
using PTest.Running;
using PTest.Suites;

namespace PTest.Units;

/// <summary>Represents the tests that run in one process, one after another.</summary>
internal sealed record TestUnit
{
    public required IReadOnlyList<TestCase> Tests { get; init; }

    public UnitPurpose Purpose { get; init; }

    /// <summary>Gets whether these are all tests of the assembly, which its framework may run in parallel.</summary>
    public bool IsWhole { get; init; }

    /// <summary>
    /// Gets whether others of their collection may run meanwhile: they are what an ended process has left of it.
    /// </summary>
    public bool IsRest { get; init; }

    /// <summary>Gets how long it will take, from history; zero if unknown.</summary>
    public TimeSpan Expected { get; init; }

    /// <summary>Gets when it may start.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>Gets the search that a unit of <see cref="UnitPurpose.Leak"/> is part of.</summary>
    public LeakHunt? Hunt { get; init; }

    /// <summary>Gets the ends of other processes whose reasons this unit looks for.</summary>
    public IReadOnlyList<UnclearEnd> Causes { get; init; } = [];

    public TestAssembly Assembly => Tests[0].Assembly;

    /// <summary>Gets the test that this unit is about, if it repeats one.</summary>
    public TestCase Subject => Tests[^1];

    public bool IsExclusive => Tests[0].IsExclusive;
}
