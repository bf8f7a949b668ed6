using System;
using System.Text.Json.Serialization;
using PTest.Running;

namespace PTest.Configuration;

/// <summary>Represents the keys that a profile and an override have in common: what holds for tests.</summary>
internal abstract class TestKeys
{
    [JsonConverter(typeof(DurationConverter))]
    public TimeSpan? Timeout { get; set; }

    [JsonConverter(typeof(DurationConverter))]
    public TimeSpan? Slow { get; set; }

    [JsonConverter(typeof(CountConverter))]
    public int? Retries { get; set; }

    [JsonConverter(typeof(DurationConverter))]
    public TimeSpan? RetryDelay { get; set; }

    [JsonPropertyName("flaky")]
    [JsonConverter(typeof(FlakyConverter))]
    public bool? FlakyFails { get; set; }

    [JsonConverter(typeof(LeakPolicyConverter))]
    public LeakPolicy? Leaks { get; set; }
}
