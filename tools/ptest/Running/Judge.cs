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
    private const int MaxParts = 8;

    private static readonly TimeSpan s_longestDelay = TimeSpan.FromHours(1);

    private readonly List<TestUnit> _next = [];
    private readonly List<TestRow> _settled = [];

    /// <summary>Judges an ended process.</summary>
    /// <param name="run">Its events.</param>
    /// <param name="result">Its end.</param>
    /// <param name="leaks">The processes that it left behind.</param>
    public Judgement Judged(UnitRun run, BatchResult result, IReadOnlyList<Leak> leaks)
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

        ILookup<TestCase, TestRow> ended = WithLeaks(rows.Ended(), leaks);
        if (run.Unit.Purpose == UnitPurpose.Company)
        {
            JudgeCompany(run, rows, ended, end, moment);
        }
        else if (run.Unit.Purpose == UnitPurpose.Leak)
        {
            JudgeHunt(run, ended, end, leaks);
        }
        else if (run.Unit.Purpose == UnitPurpose.Around)
        {
            JudgeAround(run, rows, end);
        }
        else if (run.Unit.Purpose == UnitPurpose.Together)
        {
            JudgeTogether(run, end);
        }
        else
        {
            JudgeTests(run, rows, ended, end, leaks, moment);
        }

        if (run.Unit.Purpose is not (UnitPurpose.Around or UnitPurpose.Together))
        {
            foreach (UnclearEnd cause in run.Unit.Causes)
            {
                Follow(cause, run, end);
            }
        }

        return new Judgement([.. _next], [.. _settled], end);
    }

    private void JudgeTests(
        UnitRun run,
        TestRows rows,
        ILookup<TestCase, TestRow> ended,
        UnitEnd end,
        IReadOnlyList<Leak> leaks,
        DateTime moment)
    {
        HashSet<TestCase> suspects = Suspects(run, ended, leaks);
        List<TestCase> left = [];
        foreach (TestCase test in run.Unit.Tests)
        {
            if (run.HasEnded(test))
            {
                ledger[test].Attempts++;
                if (suspects.Contains(test))
                {
                    ledger[test].Held = [.. ended[test]];
                }
                else
                {
                    Complete(run, test, [.. ended[test]]);
                }
            }
            else
            {
                left.Add(test);
            }
        }

        if (suspects.Count > 0)
        {
            Hunt([.. suspects], ended, leaks);
        }

        foreach (HostEvent error in run.Errors.Where(error => !left.Any(error.IsOf)))
        {
            _settled.AddRange(ledger.Add([rows.Failure(error, Nearest(run, error))]));
        }

        UnclearEnd? around = EndedAround(run, end, left) ? LookAround(run, rows, end) : null;
        if (left.Count > 0)
        {
            JudgeLeft(run, rows, ended, end, left, moment, around);
        }
    }

    /// <summary>Gets the test next to a failure around the tests: one of that test, class or collection.</summary>
    private static TestCase Nearest(UnitRun run, HostEvent error) =>
        run.Unit.Tests.LastOrDefault(test =>
            error.IsOf(test) || test.ClassName == error.Test || test.Collection == error.Test)
        ?? (run.Ended is [.., EndedTest last] ? last.Case : run.Unit.Tests[0]);

    /// <summary>Judges the tests that have not ended in their process.</summary>
    private void JudgeLeft(
        UnitRun run,
        TestRows rows,
        ILookup<TestCase, TestRow> ended,
        UnitEnd end,
        List<TestCase> left,
        DateTime moment,
        UnclearEnd? around)
    {
        if (end.IsComplete)
        {
            left.ForEach(test => Settle(test, [rows.OfNoEnd(test)]));
            return;
        }

        if (end.Verdict == Verdict.NotRun)
        {
            left.ForEach(test => Settle(test, ledger[test].FirstFailure ?? [TestRows.NotRun(test, end.Text)]));
            return;
        }

        if (!run.Unit.Assembly.Host.CanSelect)
        {
            left.ForEach(test => Settle(test, [rows.Interrupted(test, null, end, moment)]));
            return;
        }

        bool isLate = run.Unit.Assembly.Host.ReportsLate;
        IReadOnlyList<UnclearEnd> before = isLate ? [] : run.Unit.Causes;
        IReadOnlyList<RunningTest> running = run.Running;
        List<TestCase> victims = [.. running.Select(test => test.Case).Distinct().Where(left.Contains)];
        bool canStartAgain = run.Unit.Purpose == UnitPurpose.First && end.Verdict != Verdict.Timeout;
        if (victims.Count == 0 && run.Ended.Count == 0)
        {
            UnclearEnd own = new(rows.OfProcess(run.Unit.Tests[0], [], end), run.Unit, [], []);
            if (canStartAgain)
            {
                // Something outside may have ended it. No test is to blame, unless one ran that was not told.
                Repeat(run.Unit with { Purpose = UnitPurpose.Again, Causes = isLate ? [own] : before });
                return;
            }

            if (run.IsBeforeCollections && run.Unit.Purpose is (UnitPurpose.First or UnitPurpose.Again))
            {
                FailTogether(run, rows, left, end, moment);
                return;
            }

            if (PartsAtBegin(left, end) is { Count: > 1 } parts)
            {
                // A process that dies at once may not have told which test had begun. Of one that hangs, nothing tells
                // with which class its framework has begun.
                parts.ForEach(part => Repeat(
                    new TestUnit { Tests = part, Purpose = UnitPurpose.Again, Causes = [.. before, own] }));
                return;
            }

            // It ended before its first test: in what the tests of a class share.
            victims = [.. left.Where(test => test.ClassName == left[0].ClassName)];
        }

        bool isUnsure = IsUnsure(run, end, victims);
        UnclearEnd? cause = isUnsure || (isLate && victims.Count == 0)
            ? new UnclearEnd(rows.OfProcess(run.Unit.Tests[0], victims, end), run.Unit, victims, Others(run, victims))
            : null;
        foreach (TestCase test in victims)
        {
            if (isUnsure)
            {
                Repeat(new TestUnit { Tests = [test], Purpose = UnitPurpose.Alone, Causes = [cause!] });
                continue;
            }

            RunningTest? started = running.FirstOrDefault(one => one.Case == test);
            TestRow row = rows.Interrupted(test, started, end, moment);
            ledger[test].Attempts++;
            Fail(run, test, [.. ended[test], row], Company(run, test) is { Count: > 1 });
        }

        TestCase[] rest = [.. left.Except(victims)];
        if (rest.Length > 0)
        {
            // Of a host that reports late, the test that ended the process may be among these. Of others, the fixture
            // that began when the process ended may be theirs.
            Repeat(run.Unit with
            {
                Tests = rest,
                Purpose = UnitPurpose.First,
                Expected = TimeSpan.Zero,
                Causes = (isLate ? cause : around) is UnclearEnd own ? [.. before, own] : before,
            });
        }
    }

    /// <summary>
    /// Returns whether none of the tests that ran when their process ended is known to be to blame: there are several,
    /// the test may not have been told yet, or beside it the end of a fixture may have run.
    /// </summary>
    private static bool IsUnsure(UnitRun run, UnitEnd end, List<TestCase> victims)
    {
        if (run.Unit.Tests.Count == 1 || victims.Count == 0)
        {
            return false;
        }

        bool areBesideEachOther = run.Running.Count > 0 && victims.Count > 1;
        bool isBesideFixtures =
            run.Running.Count > 0 && run.Ended.Count > 0 && run.Unit.IsWhole && !run.Unit.IsExclusive;
        return areBesideEachOther
            || (end.Verdict != Verdict.Timeout && (run.Unit.Assembly.Host.ReportsLate || isBesideFixtures));
    }

    /// <summary>Gets the tests that had ended when their process did, without those that still ran.</summary>
    private static IReadOnlyList<TestCase> Others(UnitRun run, List<TestCase> victims) =>
        [.. run.Ended.Select(one => one.Case).Distinct().Except(victims)];

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

    /// <summary>
    /// Judges tests of a process that ended in what all tests of their assembly share, such as an assembly fixture. It
    /// would end so for each of them. Those that may run again do so in one process.
    /// </summary>
    private void FailTogether(UnitRun run, TestRows rows, List<TestCase> tests, UnitEnd end, DateTime moment)
    {
        List<TestCase> again = [];
        TimeSpan delay = TimeSpan.Zero;
        foreach (TestCase test in tests)
        {
            CaseState state = ledger[test];
            TestPolicy policy = policyOf(test);
            TestRow[] failure = [rows.Interrupted(test, null, end, moment) with
            {
                Message = $"{end.Text}, before the first collection of tests",
            }];
            state.Attempts++;
            if (state.Retries >= policy.Retries)
            {
                Settle(test, failure);
                continue;
            }

            state.FirstFailure ??= failure;
            again.Add(test);
            TimeSpan own = NextDelay(state, policy);
            delay = own > delay ? own : delay;
        }

        if (again.Count > 0)
        {
            Repeat(run.Unit with { Tests = again, Purpose = UnitPurpose.Again, Delay = delay });
        }
    }

    private static TimeSpan NextDelay(CaseState state, TestPolicy policy) => TimeSpan.FromSeconds(Math.Min(
        policy.RetryDelay.TotalSeconds * Math.Pow(2, Math.Min(state.Retries++, 20)), s_longestDelay.TotalSeconds));

    private bool FlakyFails(TestCase test) => policyOf(test) is TestPolicy policy
        && (policy.FlakyFails ?? policy.Retries == 0);

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

    /// <summary>Splits the tests of a process that ended before the first one.</summary>
    private static List<TestCase[]> PartsAtBegin(List<TestCase> tests, UnitEnd end) => end.Verdict == Verdict.Timeout
        ? [.. tests.GroupBy(test => test.ClassName).Select(group => group.ToArray())]
        : [.. Parts(tests)];

    /// <summary>Splits tests to find the one that does something to all of them.</summary>
    private static IEnumerable<TestCase[]> Parts(IReadOnlyList<TestCase> tests) =>
        tests.Chunk(Math.Max(1, (tests.Count + MaxParts - 1) / MaxParts));
}
