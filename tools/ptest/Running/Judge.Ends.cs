using System;
using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <content>Finds out why a process ended, where no test is known to be to blame.</content>
internal sealed partial class Judge
{
    private readonly HashSet<(TestAssembly Assembly, string Collection)> _around = [];

    // What is looked into and not reported yet: ends of processes, and leaks.
    private readonly List<UnclearEnd> _unclear = [];
    private readonly List<LeakHunt> _hunts = [];

    /// <summary>Reports what the end of the run keeps from being looked into.</summary>
    public IReadOnlyList<TestRow> Rest() => ledger.Add(
    [
        .. _unclear.Where(cause => !cause.IsExplained).Distinct().Select(cause => cause.Row),
        .. _hunts.Where(hunt => !hunt.IsSolved && hunt.CommandLines.Count > 0).Select(RowOf),
    ]);

    /// <summary>
    /// Returns whether a process ended after a test, before the next one and before its last message. Then the end of a
    /// fixture may be the reason, and all of its tests have passed.
    /// </summary>
    private static bool EndedAround(EndedUnit process, List<TestCase> left) =>
        !process.End.IsComplete
        && process.End.Verdict != Verdict.NotRun
        && process.Run.Ended.Count > 0
        && process.Run.Running.Count == 0
        && (left.Count == 0 || !process.Run.Unit.Assembly.Host.ReportsLate);

    /// <summary>Begins to look for the reason among the fixtures of the tests that have ended.</summary>
    /// <returns>The end whose reason is looked for, or null.</returns>
    private UnclearEnd? LookAround(EndedUnit process)
    {
        UnitRun run = process.Run;
        TestCase last = run.Ended[^1].Case;
        TestRow row = process.Rows.Around(last, process.End);
        if (!run.Unit.Assembly.Host.CanSelect)
        {
            _settled.AddRange(ledger.Add([row]));
            return null;
        }

        // Among collections that ran beside each other it may be any, and after all of them too. Where they ran one
        // after another, it is the last.
        TestCase[] tests =
        [
            .. run.Ended.Select(one => one.Case).Distinct()
                .Where(test => run.Unit.IsWhole || run.HasRunEnded || test.Collection == last.Collection),
        ];
        UnclearEnd cause = new(row, run.Unit, [], []);
        return LookAround(tests, cause) ? cause : null;
    }

    /// <summary>Runs tests once more whose fixtures are not looked into already.</summary>
    private bool LookAround(IReadOnlyList<TestCase> tests, UnclearEnd cause)
    {
        HashSet<string> collections =
            [.. tests.Select(test => test.Collection).Distinct().Where(name => _around.Add((tests[0].Assembly, name)))];
        TestCase[] chosen = [.. tests.Where(test => collections.Contains(test.Collection))];
        if (chosen.Length > 0)
        {
            Repeat(new TestUnit { Tests = chosen, Purpose = UnitPurpose.Around, Causes = [cause] });
        }

        return chosen.Length > 0;
    }

    /// <summary>
    /// Judges the second run of tests after which a process ended. Their verdicts are those of the first run.
    /// </summary>
    private void JudgeAround(EndedUnit process)
    {
        (UnitRun run, UnitEnd end) = (process.Run, process.End);
        if (end.Verdict == Verdict.NotRun)
        {
            return;
        }

        UnclearEnd cause = run.Unit.Causes[0];
        cause.Open--;
        if (end.IsComplete)
        {
            // It may happen to others of these collections.
            _around.ExceptWith(run.Unit.Tests.Select(test => (test.Assembly, test.Collection)));
            if (cause.Open == 0 && !cause.IsExplained)
            {
                LookTogether(cause, run.Unit.Tests.Count);
            }

            return;
        }

        TestCase test = run.Ended is [.., EndedTest last] ? last.Case : run.Unit.Subject;
        Confirm(cause, run, end.HasStarted ? process.Rows.Around(test, end) : cause.Row);
    }

    /// <summary>
    /// Lets all tests of the process run once more, if fewer of them did not bring about its end: it may need them all.
    /// </summary>
    private void LookTogether(UnclearEnd cause, int seen)
    {
        if (cause.Unit.Tests.Count > seen)
        {
            Repeat(cause.Unit with { Purpose = UnitPurpose.Together, Delay = TimeSpan.Zero, Causes = [cause] });
        }
        else
        {
            ReportUnexplained(cause);
        }
    }

    /// <summary>Judges the second run of all tests of a process whose end none of them brings about alone.</summary>
    private void JudgeTogether(EndedUnit process)
    {
        (UnitRun run, UnitEnd end) = (process.Run, process.End);
        if (end.Verdict == Verdict.NotRun)
        {
            return;
        }

        UnclearEnd cause = run.Unit.Causes[0];
        cause.Open--;
        if (!end.HasStarted)
        {
            // It is not known whether the end would come again, and it is no pass.
            Confirm(cause, run, cause.Row);
        }
        else if (cause.IsAgain(run, end))
        {
            Confirm(cause, run, cause.Row with
            {
                Verdict = Verdict.Order,
                Company = cause.Unit.Tests,
                Message = $"{cause.Row.Message}. It happens again with all tests of the process, and not with fewer.",
            });
        }
        else
        {
            ReportUnexplained(cause);
        }
    }

    /// <summary>Reports an end that has come again, unless there may be another try.</summary>
    private void Confirm(UnclearEnd cause, UnitRun run, TestRow row)
    {
        if (cause.Retries < policyOf(row.Case).Retries)
        {
            cause.Retries++;
            Repeat(run.Unit);
        }
        else
        {
            cause.IsExplained = true;
            _settled.AddRange(ledger.Add([row]));
        }
    }

    /// <summary>Judges an end of a unit that looks for the reason of another one.</summary>
    private void Follow(UnclearEnd cause, EndedUnit process)
    {
        if (process.End.Verdict == Verdict.NotRun)
        {
            return;
        }

        cause.IsExplained |= Explains(cause, process.Run, process.End);
        if (--cause.Open == 0 && !cause.IsExplained && !(cause.Others.Count > 0 && LookAround(cause.Others, cause)))
        {
            LookTogether(cause, seen: 1);
        }
    }

    /// <summary>
    /// Returns whether an end is the one that is looked for. If a process ended between two tests, a fixture of those
    /// that were left may have begun. That is so if such tests come to none of them again, however often they run.
    /// </summary>
    private bool Explains(UnclearEnd cause, UnitRun run, UnitEnd end) => !end.IsComplete
        && end.HasStarted
        && (run.Unit.Assembly.Host.ReportsLate
            || run.Unit.Purpose == UnitPurpose.Alone
            || (run.Ended.Count == 0 && run.Running.Count == 0 && !_next.Exists(unit => unit.Causes.Contains(cause))));

    /// <summary>Reports an end that does not come again as a flaky test.</summary>
    private void ReportUnexplained(UnclearEnd cause)
    {
        cause.IsExplained = true;
        _settled.AddRange(ledger.Add(
        [
            cause.Row with
            {
                Verdict = Verdict.Flaky,
                IsFailure = FlakyFails(cause.Row.Case),
                Message = $"{cause.Row.Message}. It did not happen again.",
            },
        ]));
    }
}
