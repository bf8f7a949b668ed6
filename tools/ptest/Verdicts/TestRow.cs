using System;
using System.Collections.Generic;
using PTest.Suites;

namespace PTest.Verdicts;

/// <summary>Represents a test in the reports: a test method, or one row of its data.</summary>
internal sealed record TestRow
{
    public required TestCase Case { get; init; }

    /// <summary>Gets the name of the test, with the data of its row.</summary>
    public required string Name { get; init; }

    public required Verdict Verdict { get; init; }

    /// <summary>Gets whether the test fails the run.</summary>
    public bool IsFailure { get; init; }

    public DateTime Started { get; init; }

    public TimeSpan Duration { get; init; }

    public string? Message { get; init; }

    public string? Stack { get; init; }

    /// <summary>Gets what the test wrote, by its framework and to its standard streams.</summary>
    public string? Output { get; init; }

    /// <summary>Gets how often the test has run.</summary>
    public int Attempts { get; init; } = 1;

    /// <summary>Gets the command lines of the processes that the test left behind.</summary>
    public IReadOnlyList<string> Leaks { get; init; } = [];

    /// <summary>Gets the tests without which it passes, if it is ORDER.</summary>
    public IReadOnlyList<TestCase> Company { get; init; } = [];

    /// <summary>Gets the path of a memory dump of the hanging process.</summary>
    public string? Dump { get; init; }

    /// <summary>Gets the slot that it ran in.</summary>
    public int Slot { get; init; }
}
