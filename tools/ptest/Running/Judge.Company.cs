using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <content>Finds out whether a test fails because of the others in its process.</content>
internal sealed partial class Judge
{
    /// <summary>How many failures are looked into: if all tests fail, company is not the reason.</summary>
    private const int MaxOrderChecks = 50;

    private int _orderChecks;

    /// <summary>Judges a failure. One among others is that of the test only if it comes without them too.</summary>
    private void Fail(UnitRun run, TestCase test, IReadOnlyList<TestRow> rows, bool isAmongOthers)
    {
        CaseState state = ledger[test];
        if (state.FirstFailure is not null || !isAmongOthers)
        {
            state.Company = null;
            Retry(test, rows);
            return;
        }

        state.FirstFailure = rows;
        state.Company = Company(run, test);
        if (_orderChecks < MaxOrderChecks)
        {
            _orderChecks++;
            Repeat(new TestUnit { Tests = [test], Purpose = UnitPurpose.Alone });
        }
        else
        {
            // Without the others it may pass, and that would say nothing of this failure.
            Retry(test, rows);
        }
    }

    /// <summary>Judges a second run of the company in which a test failed.</summary>
    private void JudgeCompany(EndedUnit process)
    {
        UnitRun run = process.Run;
        TestCase test = run.Unit.Subject;
        CaseState state = ledger[test];
        state.Attempts++;
        RunningTest? started = run.Running.FirstOrDefault(one => one.Case == test);
        TestRow[] again = started is null ? [.. process.Ended[test]]
            : [.. process.Ended[test], process.Rows.Interrupted(test, started, process.End, process.Moment)];
        if (process.End.Verdict == Verdict.NotRun)
        {
            Settle(test, state.FirstFailure!);
        }
        else if (run.HasEnded(test) && !again.Any(row => row.Verdict.IsFailure()))
        {
            Settle(test, Flaky(state, again));
        }
        else if (state.Alone is null || !again.Any(row => row.Verdict.IsFailure()))
        {
            // It has not been tried alone, or the process has ended before it: that is no proof.
            Retry(test, state.FirstFailure!);
        }
        else
        {
            Retry(test, [.. state.FirstFailure!.Select(row => !row.Verdict.IsFailure() ? row : row with
            {
                Verdict = Verdict.Order,
                Message = $"{row.Message}\n{Explanation(state.Company!)}",
                Company = state.Company!,
            })]);
        }
    }

    /// <summary>Gets the tests that ran before a test in the same process, and the test itself at the end.</summary>
    private static IReadOnlyList<TestCase> Company(UnitRun run, TestCase test) =>
        [.. run.Ended.Select(one => one.Case).Distinct().TakeWhile(one => one != test), test];

    private static string Explanation(IReadOnlyList<TestCase> company) => company.Count == 1
        ? "It passes alone, and fails in a process of other tests."
        : $"It passes alone, and fails after: {string.Join(", ", company.SkipLast(1).TakeLast(5))}"
            + (company.Count > 6 ? $" and {company.Count - 6} more." : ".");
}
