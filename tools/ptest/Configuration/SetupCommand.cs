using System;
using System.Text.Json.Serialization;

namespace PTest.Configuration;

/// <summary>Represents a command that runs before the tests, and whose output is variables for them.</summary>
internal sealed class SetupCommand
{
    /// <summary>Gets or sets the program and its arguments.</summary>
    public required string[] Command { get; set; }

    [JsonConverter(typeof(DurationConverter))]
    public TimeSpan? Timeout { get; set; }
}
