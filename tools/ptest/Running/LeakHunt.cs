using System.Collections.Generic;
using PTest.Suites;

namespace PTest.Running;

/// <summary>
/// Represents the search for the test that left processes behind, among several that may have: they run again in
/// smaller and smaller units.
/// </summary>
internal sealed class LeakHunt(IReadOnlyList<string> commandLines, IReadOnlyList<TestCase> suspects)
{
    /// <summary>Gets the command lines of what must be explained.</summary>
    public IReadOnlyList<string> CommandLines { get; } = commandLines;

    /// <summary>Gets the tests that may have left them behind.</summary>
    public IReadOnlyList<TestCase> Suspects { get; } = suspects;

    /// <summary>Gets the tests that did not pass again: each may still be the owner.</summary>
    public List<TestCase> Unclear { get; } = [];

    /// <summary>Gets or sets the number of units that have not ended yet.</summary>
    public int Open { get; set; }

    public bool IsSolved { get; set; }
}
