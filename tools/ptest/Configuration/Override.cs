using System;
using System.Text.Json.Serialization;
using PTest.Running;
using PTest.Selection;

namespace PTest.Configuration;

/// <summary>Represents what holds for the tests that a filter chooses.</summary>
internal sealed class Override
{
    [JsonConverter(typeof(FilterConverter))]
    public required TestFilter Filter { get; set; }

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

    /// <summary>Gets or sets the group whose processes are limited in number.</summary>
    public string? Group { get; set; }

    /// <summary>Gets or sets how many slots a process of these tests takes.</summary>
    [JsonConverter(typeof(PositiveConverter))]
    public int? Slots { get; set; }
}
