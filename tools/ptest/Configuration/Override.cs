using System.Text.Json.Serialization;
using PTest.Selection;

namespace PTest.Configuration;

/// <summary>Represents what holds for the tests that a filter chooses.</summary>
internal sealed class Override : TestKeys
{
    [JsonConverter(typeof(FilterConverter))]
    public required TestFilter Filter { get; set; }

    /// <summary>Gets or sets the group whose processes are limited in number.</summary>
    public string? Group { get; set; }

    /// <summary>Gets or sets how many slots a process of these tests takes.</summary>
    [JsonConverter(typeof(PositiveConverter))]
    public int? Slots { get; set; }
}
