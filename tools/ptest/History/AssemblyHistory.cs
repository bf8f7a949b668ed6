using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;

namespace PTest.History;

/// <summary>Represents what is known of an assembly's tests.</summary>
internal sealed class AssemblyHistory
{
    /// <summary>Gets or sets how long a process takes to come to its first test.</summary>
    public double? StartMilliseconds { get; set; }

    /// <summary>Gets or sets the tests, by their ids.</summary>
    public Dictionary<string, TestMemory> Tests { get; set; } = [];

    /// <summary>Gets whether these are values that a run writes, and not only JSON.</summary>
    [JsonIgnore]
    public bool IsValid => StartMilliseconds is null or (>= 0 and < int.MaxValue)
        && Tests?.Values.All(test => test is { Milliseconds: >= 0 and < int.MaxValue }) == true;
}
