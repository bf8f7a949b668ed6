using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>Represents a line that a host writes: what happens in the process of the tests.</summary>
internal sealed record HostEvent
{
    /// <summary>Gets the kind, one of <see cref="EventNames"/>.</summary>
    public string Event { get; init; } = "";

    /// <summary>Gets the ticks of the moment, in universal time.</summary>
    public long At { get; init; }

    public string? Case { get; init; }

    public string? Test { get; init; }

    public string? Class { get; init; }

    public string? Method { get; init; }

    public string? Collection { get; init; }

    public string? Exclusive { get; init; }

    /// <summary>Gets the outcome of a test, one of <see cref="OutcomeNames"/>.</summary>
    public string? Outcome { get; init; }

    public string? Seconds { get; init; }

    public string? Message { get; init; }

    public string? Stack { get; init; }

    public string? Output { get; init; }

    /// <summary>Gets the number of the mark in the standard streams behind what the test wrote.</summary>
    public string? Mark { get; init; }

    /// <summary>Gets the id of a process that lives on after a test, or that may be one of those.</summary>
    public string? Process { get; init; }

    /// <summary>Gets when that process started, in the kernel's ticks.</summary>
    public string? Ticks { get; init; }

    public string? Command { get; init; }

    /// <summary>Gets the tests that may have started that process, separated by spaces.</summary>
    public string? Owners { get; init; }

    public IReadOnlyList<string>? Traits { get; init; }

    [JsonIgnore]
    public DateTime Moment => new(At, DateTimeKind.Utc);

    /// <summary>Gets the position in the standard streams that the event stands for.</summary>
    [JsonIgnore]
    public OutputPosition Position => new(
        Moment, int.TryParse(Mark, NumberStyles.None, CultureInfo.InvariantCulture, out int mark) ? mark : null);

    public bool IsOf(TestCase test) => Case == test.Id;

    /// <summary>Reads the events in a file; none if there is no such file.</summary>
    public static IReadOnlyList<HostEvent> ReadAll(string path) => File.Exists(path)
        ? [.. File.ReadLines(path).Select(line => Parse(Encoding.UTF8.GetBytes(line))).OfType<HostEvent>()]
        : [];

    /// <summary>Reads a line.</summary>
    /// <returns>The event, or null if the line is none: a host that dies can leave half of one.</returns>
    public static HostEvent? Parse(ReadOnlySpan<byte> line)
    {
        try
        {
            return JsonSerializer.Deserialize(line, HostEventJson.Default.HostEvent);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
