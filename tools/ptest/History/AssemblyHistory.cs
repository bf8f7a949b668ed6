using System.Collections.Generic;

namespace PTest.History;

/// <summary>Represents what is known of an assembly's tests.</summary>
internal sealed class AssemblyHistory
{
    /// <summary>Gets or sets how long a process takes to come to its first test.</summary>
    public double? StartMilliseconds { get; set; }

    /// <summary>Gets or sets the tests, by their ids.</summary>
    public Dictionary<string, TestMemory> Tests { get; set; } = [];
}
