using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner;
using PTest.Hosts;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>
/// Decides what the end of a process means: which tests have their verdict, and which must run once more, and how. A
/// test whose process died gets a verdict, and the tests after it get another process. Each process settles a test, or
/// brings one closer to its verdict, so that a run comes to an end.
/// </summary>
internal sealed partial class Judge(Ledger ledger, Func<TestCase, TestPolicy> policyOf)
{
    private static readonly TimeSpan s_longestDelay = TimeSpan.FromHours(1);

    private readonly List<TestUnit> _next = [];
    private readonly List<TestRow> _settled = [];

    // What failed around tests.
    private readonly HashSet<(TestAssembly Assembly, string? Name, string? Message)> _reported = [];

    /// <summary>Judges an ended process.</summary>
    /// <param name="run">Its events.</param>
    /// <param name="result">Its end.</param>
    /// <param name="leaks">The processes that it left behind.</param>
    public Judgement Decide(UnitRun run, BatchResult result, IReadOnlyList<Leak> leaks)
    {
        _next.Clear();
        _settled.Clear();
        DateTime moment = result.Result?.ExitTime.UtcDateTime ?? DateTime.UtcNow;
        TestRows rows = new(run, result.Slot, policyOf);
        UnitEnd end = UnitEnd.Of(run, result);
        bool hasDied = end.Verdict is Verdict.Crash or Verdict.Exit;
        if (hasDied && !run.HasRunEnded && run.Unit.Assembly.Host is { ReportsLate: true, CanSelect: true })
        {
            run.OnDeath();
        }

        if (!end.IsComplete)
        {
            run.OnBrokenEnd();
        }

        EndedUnit process = new(run, rows, WithLeaks(rows.Ended(), leaks), end, moment);
        if (run.Unit.Purpose == UnitPurpose.Company)
        {
            JudgeCompany(process);
        }
        else if (run.Unit.Purpose == UnitPurpose.Leak)
        {
            JudgeHunt(process, leaks);
        }
        else if (run.Unit.Purpose == UnitPurpose.Around)
        {
            JudgeAround(process);
        }
        else if (run.Unit.Purpose == UnitPurpose.Together)
        {
            JudgeTogether(process);
        }
        else
        {
            JudgeTests(process, leaks);
        }

        if (run.Unit.Purpose is not (UnitPurpose.Around or UnitPurpose.Together))
        {
            foreach (UnclearEnd cause in run.Unit.Causes)
            {
                Follow(cause, process);
            }
        }

        return new Judgement([.. _next], [.. _settled], end);
    }

    private void JudgeTests(EndedUnit process, IReadOnlyList<Leak> leaks)
    {
        UnitRun run = process.Run;
        HashSet<TestCase> suspects = Suspects(process, leaks);
        List<TestCase> left = [];
        foreach (TestCase test in run.Unit.Tests)
        {
            if (run.HasEnded(test))
            {
                ledger[test].Attempts++;
                if (suspects.Contains(test))
                {
                    ledger[test].Held = [.. process.Ended[test]];
                }
                else
                {
                    Complete(run, test, [.. process.Ended[test]]);
                }
            }
            else
            {
                left.Add(test);
            }
        }

        if (suspects.Count > 0)
        {
            Hunt([.. suspects], process.Ended, leaks);
        }

        foreach (HostEvent error in run.Errors.Where(error => !left.Any(error.IsOf)))
        {
            // A second run of a test comes to the end of its fixtures once more.
            if (_reported.Add((run.Unit.Assembly, error.Test, error.Message))
                || run.Unit.Purpose is UnitPurpose.First or UnitPurpose.Again)
            {
                _settled.AddRange(ledger.Add([process.Rows.Failure(error, Nearest(run, error))]));
            }
        }

        UnclearEnd? around = EndedAround(process, left) ? LookAround(process) : null;
        if (left.Count > 0)
        {
            JudgeLeft(process, left, around);
        }
    }

    /// <summary>Gets the test next to a failure around the tests: one of that test, class or collection.</summary>
    private static TestCase Nearest(UnitRun run, HostEvent error) =>
        run.Unit.Tests.LastOrDefault(test =>
            error.IsOf(test) || test.ClassName == error.Test || test.Collection == error.Test)
        ?? (run.Ended is [.., EndedTest last] ? last.Case : run.Unit.Tests[0]);

    /// <summary>Judges a test that came to its end.</summary>
    private void Complete(UnitRun run, TestCase test, IReadOnlyList<TestRow> rows)
    {
        CaseState state = ledger[test];
        if (!rows.Any(row => row.Verdict.IsFailure()))
        {
            if (state.Company is not null && run.Unit.Purpose == UnitPurpose.Alone && rows.Count > 0)
            {
                state.Alone = rows;
                Repeat(new TestUnit { Tests = state.Company, Purpose = UnitPurpose.Company });
            }
            else
            {
                Settle(test, state.FirstFailure is null ? rows : Flaky(state, rows));
            }

            return;
        }

        if (!run.Unit.Assembly.Host.CanSelect)
        {
            Settle(test, rows);
            return;
        }

        Fail(run, test, rows, run.Unit.Tests.Count > 1);
    }

    private void Retry(TestCase test, IReadOnlyList<TestRow> rows)
    {
        CaseState state = ledger[test];
        TestPolicy policy = policyOf(test);
        state.FirstFailure ??= rows;
        if (state.Retries >= policy.Retries)
        {
            Settle(test, rows);
            return;
        }

        Repeat(new TestUnit
        {
            Tests = state.Company ?? [test],
            Purpose = state.Company is null ? UnitPurpose.Retry : UnitPurpose.Company,
            Delay = NextDelay(state, policy),
        });
    }

    private static TimeSpan NextDelay(CaseState state, TestPolicy policy) => TimeSpan.FromSeconds(Math.Min(
        policy.RetryDelay.TotalSeconds * Math.Pow(2, Math.Min(state.Retries++, 20)), s_longestDelay.TotalSeconds));

    private bool FlakyFails(TestCase test)
    {
        TestPolicy policy = policyOf(test);
        return policy.FlakyFails ?? policy.Retries == 0;
    }

    private IReadOnlyList<TestRow> Flaky(CaseState state, IReadOnlyList<TestRow> passed)
    {
        if (passed.Count == 0)
        {
            // A theory that finds no data says nothing.
            return state.FirstFailure!;
        }

        bool fails = FlakyFails(state.Test);
        Dictionary<string, TestRow> failed = [];
        foreach (TestRow row in state.FirstFailure!.Where(row => row.Verdict.IsFailure()))
        {
            failed[row.Name] = row;
        }

        if (!passed.Any(row => failed.ContainsKey(row.Name)))
        {
            // The rows have other names in each process, or the test failed before its first one.
            failed[passed[^1].Name] = failed.Values.First();
        }

        return
        [
            .. passed.Select(row => failed.TryGetValue(row.Name, out TestRow? first)
                ? row with
                {
                    Verdict = Verdict.Flaky,
                    IsFailure = fails || row.IsFailure,
                    Message = first.Message,
                    Stack = first.Stack,
                    Output = first.Output,
                }
                : row),
        ];
    }

    private void Settle(TestCase test, IReadOnlyList<TestRow> rows)
    {
        int attempts = ledger[test].Attempts;
        _settled.AddRange(ledger.Settle(test, [.. rows.Select(row => row with { Attempts = attempts })]));
    }

    private void Repeat(TestUnit unit)
    {
        foreach (UnclearEnd cause in unit.Causes)
        {
            cause.Open++;
            _unclear.Add(cause);
        }

        _next.Add(unit);
    }
}
