using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace PTest.Configuration;

/// <summary>Represents a ptest.json.</summary>
internal sealed class ConfigurationFile
{
    /// <summary>Gets or sets a reference to a schema, which editors use and ptest ignores.</summary>
    [JsonPropertyName("$schema")]
    public string? Schema { get; set; }

    /// <summary>Gets or sets how many processes of a group of tests run at once, by the group's name.</summary>
    [JsonConverter(typeof(LimitsConverter))]
    public Dictionary<string, int>? Groups { get; set; }

    /// <summary>Gets or sets the commands that run before the tests.</summary>
    public SetupCommand[]? Setup { get; set; }

    /// <summary>Gets or sets the profiles, by their names. What one leaves open, "default" says.</summary>
    public Dictionary<string, Profile>? Profiles { get; set; }
}
