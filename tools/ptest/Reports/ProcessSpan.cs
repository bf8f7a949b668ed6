using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner;
using PTest.Running;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>Represents a process of tests over time.</summary>
internal sealed record ProcessSpan
{
    public required int Slot { get; init; }

    public required int ProcessId { get; init; }

    public required string Assembly { get; init; }

    public required UnitPurpose Purpose { get; init; }

    public required DateTime Started { get; init; }

    public required DateTime Ended { get; init; }

    public required TimeSpan ProcessorTime { get; init; }

    public required UnitEnd End { get; init; }

    /// <summary>Gets its tests, in the order of their starts.</summary>
    public required IReadOnlyList<TestSpan> Tests { get; init; }

    /// <summary>Gets the name for people.</summary>
    public string Name => Purpose == UnitPurpose.First
        ? Assembly
        : $"{Assembly} ({Purpose.ToString().ToLowerInvariant()})";

    /// <summary>Makes the span of an ended process.</summary>
    /// <returns>The span, or null if the process could not be started.</returns>
    public static ProcessSpan? Of(UnitRun run, BatchResult result, UnitEnd end)
    {
        if (result.Result is not ProcessResult process)
        {
            return null;
        }

        DateTime started = process.StartTime.UtcDateTime;
        DateTime ended = NotBefore(started, process.ExitTime.UtcDateTime);
        IEnumerable<TestSpan> tests = run.Ended
            .Select(test => Span(test.Name, test.Started, test.End.Moment, test.End.Outcome ?? ""))
            .Concat(run.Running.Select(test => Span(test.Name, test.Started, ended, end.Verdict.Text())));
        return new ProcessSpan
        {
            Slot = result.Slot,
            ProcessId = process.ProcessId,
            Assembly = run.Unit.Assembly.Name,
            Purpose = run.Unit.Purpose,
            Started = started,
            Ended = ended,
            ProcessorTime = process.UserProcessorTime + process.PrivilegedProcessorTime,
            End = end,
            Tests = [.. tests.OrderBy(test => test.Started)],
        };
    }

    private static TestSpan Span(string name, DateTime start, DateTime end, string outcome) =>
        new(name, start, NotBefore(start, end), outcome);

    // The clock of the system may have been set meanwhile.
    private static DateTime NotBefore(DateTime start, DateTime end) => end > start ? end : start;
}
