using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Reads the report of a run in JSON.</summary>
internal sealed class RunEvents(string path)
{
    private readonly JsonElement[] _events =
        [.. File.ReadLines(path).Select(line => JsonDocument.Parse(line).RootElement)];

    /// <summary>Gets the events of a kind.</summary>
    public IEnumerable<JsonElement> Of(string kind) =>
        _events.Where(one => one.GetProperty("event").GetString() == kind);

    /// <summary>Gets how many processes ran while a test did, its own included.</summary>
    public int ProcessesDuring(string test)
    {
        (DateTime start, DateTime end) = Span(
            Of("test").Single(one => one.GetProperty("name").GetString()!.EndsWith(test, StringComparison.Ordinal)));
        return Of("process").Select(Span).Count(process => process.Start < end && process.End > start);
    }

    /// <summary>Gets how many processes ran at once at most.</summary>
    public int MostProcessesAtOnce()
    {
        (DateTime Start, DateTime End)[] processes = [.. Of("process").Select(Span)];
        return processes.Max(one => processes.Count(other => other.Start <= one.Start && other.End > one.Start));
    }

    private static (DateTime Start, DateTime End) Span(JsonElement one)
    {
        DateTime start = one.GetProperty("started").GetDateTime();
        return (start, start.AddSeconds(one.GetProperty("seconds").GetDouble()));
    }
}
