using System;
using System.Collections.Generic;
using PTest.Suites;
using PTest.Units;

namespace PTest.Running;

/// <summary>Represents how tests run.</summary>
internal sealed record SessionOptions
{
    public int Jobs { get; init; } = Environment.ProcessorCount;

    public bool IgnoresParallelHints { get; init; }

    /// <summary>Gets how long a stopped process has from the stop signal to the kill.</summary>
    public TimeSpan StopGrace { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Gets the limit of the whole run; zero for none.</summary>
    public TimeSpan RunLimit { get; init; }

    /// <summary>Gets how long the list of an assembly may take.</summary>
    public TimeSpan ListLimit { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>Gets how long a process may live on after the last message of its host.</summary>
    public TimeSpan EndGrace { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets how many failed tests end the run; zero for none.</summary>
    public int FailFast { get; init; }

    public DumpKind Dump { get; init; }

    public string DumpFolder { get; init; } = "TestResults";

    public IReadOnlyDictionary<string, int> GroupLimits { get; init; } = new Dictionary<string, int>();

    /// <summary>Gets what hears how long a process of an assembly took until it was ready to run tests.</summary>
    public Action<TestAssembly, TimeSpan>? OnReady { get; init; }

    public required Func<TestCase, TestPolicy> PolicyOf { get; init; }

    public int SlotsOf(TestUnit unit) => Math.Clamp(PolicyOf(unit.Tests[0]).Slots, 1, Jobs);
}
