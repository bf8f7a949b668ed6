using System;
using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <content>Judges the tests that have not ended in their process, and lets those run that come after them.</content>
internal sealed partial class Judge
{
    private const int MaxParts = 8;

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
            UnclearEnd[] own =
                end.HasStarted ? [new UnclearEnd(rows.OfProcess(run.Unit.Tests[0], [], end), run.Unit, [], [])] : [];
            if (canStartAgain)
            {
                // Something outside may have ended it. No test is to blame, unless one ran that was not reported.
                Repeat(run.Unit with { Purpose = UnitPurpose.Again, Causes = isLate ? own : before });
                return;
            }

            if (run.IsBeforeCollections && run.Unit.Purpose is (UnitPurpose.First or UnitPurpose.Again))
            {
                FailTogether(run, rows, left, end, moment);
                return;
            }

            if (PartsAtBegin(left, end) is { Count: > 1 } parts)
            {
                // A process that dies at once may not have reported which test had begun. Of one that hangs, nothing
                // tells with which class its framework has begun.
                parts.ForEach(part => Repeat(
                    new TestUnit { Tests = part, Purpose = UnitPurpose.Again, Causes = [.. before, .. own] }));
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

        foreach (TestCase[] rest in Rests(run, left, victims))
        {
            // Of a host that reports late, the test that ended the process may be among these. Of others, the fixture
            // that began when the process ended may be theirs.
            Repeat(run.Unit with
            {
                Tests = rest,
                Purpose = UnitPurpose.First,
                IsRest = true,
                Expected = TimeSpan.Zero,
                Causes = (isLate ? cause : around) is UnclearEnd reason ? [.. before, reason] : before,
            });
        }
    }

    /// <summary>
    /// Splits the tests that come after the victims. Those of a collection that has begun are kept from the tests of it
    /// that run again, which only a unit of one collection can be.
    /// </summary>
    private static IEnumerable<TestCase[]> Rests(UnitRun run, List<TestCase> left, List<TestCase> victims)
    {
        HashSet<string> begun = [.. run.Ended.Select(one => one.Case).Concat(victims).Select(test => test.Collection)];
        return left.Except(victims)
            .GroupBy(test => begun.Contains(test.Collection) ? test.Collection : null)
            .Select(group => group.ToArray());
    }

    /// <summary>
    /// Returns whether none of the tests that ran when their process ended is known to be to blame: there are several,
    /// the test may not have been reported yet, or beside it the end of a fixture may have run.
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

    /// <summary>Splits the tests of a process that ended before the first one.</summary>
    private static List<TestCase[]> PartsAtBegin(List<TestCase> tests, UnitEnd end) => end.Verdict == Verdict.Timeout
        ? [.. tests.GroupBy(test => test.ClassName).Select(group => group.ToArray())]
        : [.. Parts(tests)];

    /// <summary>
    /// Splits tests to find the one that does something to all of them, and no collection until it is the only one: the
    /// parts run beside each other.
    /// </summary>
    private static IEnumerable<TestCase[]> Parts(IReadOnlyList<TestCase> tests)
    {
        TestCase[][] collections = [.. tests.GroupBy(test => test.Collection).Select(group => group.ToArray())];
        return collections.Length == 1
            ? tests.Chunk(SizeOf(tests.Count))
            : collections.Chunk(SizeOf(collections.Length)).Select(part => part.SelectMany(one => one).ToArray());
    }

    private static int SizeOf(int count) => Math.Max(1, (count + MaxParts - 1) / MaxParts);
}
