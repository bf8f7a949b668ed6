using System.Collections.Generic;

namespace PTest.Running;

/// <summary>
/// Represents the search for the test that left processes behind, among several that may have: they run again in
/// smaller and smaller units.
/// </summary>
internal sealed class LeakHunt(IReadOnlyList<string> commandLines, int suspects)
{
    /// <summary>Gets the command lines of what must be explained.</summary>
    public IReadOnlyList<string> CommandLines { get; } = commandLines;

    public int Suspects { get; } = suspects;

    /// <summary>Gets or sets the number of units that have not ended yet.</summary>
    public int Open { get; set; }

    public bool IsSolved { get; set; }
}
