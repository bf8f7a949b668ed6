using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using PTest.Hosts;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Makes the rows of the tests of one process.</summary>
internal sealed class TestRows(UnitRun run, int slot, Func<TestCase, TestPolicy> policyOf)
{
    private const int MaxNames = 5;

    /// <summary>Makes the row of a test that never ran.</summary>
    public static TestRow NotRun(TestCase test, string? message = null) => new()
    {
        Case = test,
        Name = test.DisplayName,
        Verdict = Verdict.NotRun,
        IsFailure = true,
        Attempts = 0,
        Message = message,
    };

    /// <summary>Makes the row of processes that one of several tests left behind, it is not known which.</summary>
    public static TestRow OfLeaks(IReadOnlyList<TestCase> owners, IEnumerable<string> commandLines, bool fails) => new()
    {
        Case = owners[0],
        Name = NameOfProcess(owners[0]),
        Verdict = Verdict.Leak,
        IsFailure = fails,
        Leaks = [.. commandLines.Select(text => $"{text} (by one of these, but none did it again: {Names(owners)})")],
    };

    /// <summary>Makes the rows of all tests that ended, by the test.</summary>
    public ILookup<TestCase, TestRow> Ended() => run.Ended.Select(Row).ToLookup(row => row.Case);

    /// <summary>Makes the row of a test that its process did not bring to an end.</summary>
    public TestRow Interrupted(TestCase test, RunningTest? started, UnitEnd end, DateTime ended) => new()
    {
        Case = test,
        Name = started?.Name ?? test.DisplayName,
        Verdict = end.Verdict,
        IsFailure = true,
        Started = started?.Started ?? ended,
        Duration = started is null ? TimeSpan.Zero : Between(started.Started, ended),
        Message = started is null ? $"{end.Text}, before the test had started" : end.Text,
        Output = TextOrNull(run.Output.Between(started?.Start ?? default, OutputPosition.End)),
        Dump = run.Dump,
        Slot = slot,
    };

    /// <summary>Makes the row of a failure around the tests.</summary>
    public TestRow Failure(HostEvent error, TestCase test) => new()
    {
        Case = test,
        Name = $"{error.Test} (cleanup)",
        Verdict = Verdict.Fail,
        IsFailure = true,
        Started = error.Moment,
        Message = error.Message,
        Stack = error.Stack,
        Slot = slot,
    };

    /// <summary>Makes the row of a test without an end in a run that has come to its own.</summary>
    public TestRow OfNoEnd(TestCase test) => run.Errors.FirstOrDefault(error => error.IsOf(test)) is HostEvent error
        ? Failure(error, test) with { Name = test.DisplayName }
        : NotRun(test, "the host did not find the test again");

    /// <summary>Makes the row of an end of the process after its last test.</summary>
    public TestRow Around(TestCase test, UnitEnd end) => new()
    {
        Case = test,
        Name = run.HasRunEnded && run.Unit.Tests.Any(one => one.ClassName != test.ClassName)
            ? NameOfProcess(test)
            : $"{test.ClassName} (cleanup)",
        Verdict = end.Verdict,
        IsFailure = true,
        Started = run.LastEvent,
        Message = $"{end.Text}, after the tests",
        Output = TextOrNull(run.Output.Between(run.LastPosition, OutputPosition.End)),
        Dump = run.Dump,
        Slot = slot,
    };

    /// <summary>Makes the row of an end of the process while tests ran of which none may be to blame.</summary>
    public TestRow OfProcess(TestCase test, IReadOnlyList<TestCase> victims, UnitEnd end) => Around(test, end) with
    {
        Name = NameOfProcess(test),
        Message = victims.Count == 0 ? end.Text : $"{end.Text}, while these ran: {Names(victims)}",
    };

    // The clock of the system may have been set meanwhile.
    private static TimeSpan Between(DateTime start, DateTime end) => end > start ? end - start : TimeSpan.Zero;

    private static string? TextOrNull(string text) => text.Length > 0 ? text : null;

    private static string NameOfProcess(TestCase test) => $"{test.Assembly.Name} (process)";

    private static string Names(IReadOnlyList<TestCase> tests) => string.Join(", ", tests.Take(MaxNames))
        + (tests.Count > MaxNames ? $" and {tests.Count - MaxNames} more" : "");

    private TestRow Row(EndedTest ended)
    {
        HostEvent end = ended.End;
        TimeSpan duration = double.TryParse(
            end.Seconds, NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds) && seconds > 0
            ? TimeSpan.FromSeconds(seconds)
            : TimeSpan.Zero;
        bool hasFailed = end.Outcome == OutcomeNames.Failed;

        // A host can report the beginning together with the end.
        DateTime latest = end.Moment - duration;
        return new TestRow
        {
            Case = ended.Case,
            Name = !string.IsNullOrWhiteSpace(ended.Name) ? ended.Name : ended.Case.DisplayName,
            Verdict = end.Outcome switch
            {
                OutcomeNames.Passed => duration >= policyOf(ended.Case).Slow ? Verdict.Slow : Verdict.Pass,
                OutcomeNames.Skipped => Verdict.Skip,
                _ => Verdict.Fail,
            },
            IsFailure = end.Outcome is not (OutcomeNames.Passed or OutcomeNames.Skipped),
            Started = ended.Started < latest ? ended.Started : latest,
            Duration = hasFailed && duration == TimeSpan.Zero ? Between(ended.Started, end.Moment) : duration,
            Message = end.Message,
            Stack = end.Stack,
            Output = TextOrNull($"{end.Output}{run.Output.Between(ended.Start, end.Position)}"),
            Slot = slot,
        };
    }
}
