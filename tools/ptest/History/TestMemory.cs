using System.Collections.Generic;

namespace PTest.History;

/// <summary>Represents what is known of a test.</summary>
internal sealed record TestMemory
{
    public string Name { get; init; } = "";

    public double Milliseconds { get; init; }

    /// <summary>Gets whether its last verdict was none that passes.</summary>
    public bool HasFailed { get; init; }

    /// <summary>Gets the ids of the tests without which it passes; null if it does not depend on any.</summary>
    public IReadOnlyList<string>? Company { get; init; }

    /// <summary>Gets in how many runs of the assembly the test has not been listed since it was.</summary>
    public int Missed { get; init; }
}
