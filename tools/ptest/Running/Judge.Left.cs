using System;
using System.Collections.Generic;
using System.Linq;
using PTest.Hosts;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <content>Judges the tests that have not ended in their process, and lets those run that come after them.</content>
internal sealed partial class Judge
{
    private const int MaxParts = 8;

    /// <summary>Judges the tests that have not ended in their process.</summary>
    private void JudgeLeft(EndedUnit process, List<TestCase> left, UnclearEnd? around)
    {
        UnitEnd end = process.End;
        TestHost host = process.Run.Unit.Assembly.Host;
        if (end.IsComplete)
        {
            left.ForEach(test => Settle(test, [process.Rows.OfNoEnd(test)]));
        }
        else if (end.Verdict == Verdict.NotRun)
        {
            left.ForEach(test => Settle(test, ledger[test].FirstFailure ?? [TestRows.NotRun(test, end.Text)]));
        }
        else if (!host.CanSelect)
        {
            left.ForEach(test => Settle(test, [process.Rows.Interrupted(test, null, end, process.Moment)]));
        }
        else if (Victims(process, left) is List<TestCase> victims)
        {
            // Of a host that reports late, the test that ended the process may be among the others. Of other hosts,
            // the fixture that began when the process ended may be theirs.
            UnclearEnd? cause = JudgeVictims(process, victims);
            RunRest(process.Run, left, victims, host.ReportsLate ? cause : around);
        }
    }

    /// <summary>Finds the tests that the end of their process interrupted.</summary>
    /// <returns>The tests, or null if all that are left have their verdict, or run again to find out.</returns>
    private List<TestCase>? Victims(EndedUnit process, List<TestCase> left)
    {
        (UnitRun run, UnitEnd end) = (process.Run, process.End);
        List<TestCase> victims = [.. run.Running.Select(test => test.Case).Distinct().Where(left.Contains)];
        if (victims.Count > 0 || run.Ended.Count > 0)
        {
            return victims;
        }

        UnclearEnd[] own = end.HasStarted
            ? [new UnclearEnd(process.Rows.OfProcess(run.Unit.Tests[0], [], end), run.Unit, [], [])]
            : [];
        if (run.Unit.Purpose == UnitPurpose.First && end.Verdict != Verdict.Timeout)
        {
            // Something outside may have ended it. No test is to blame, unless one ran that was not reported.
            bool isLate = run.Unit.Assembly.Host.ReportsLate;
            Repeat(run.Unit with { Purpose = UnitPurpose.Again, Causes = isLate ? own : run.Unit.Causes });
            return null;
        }

        if (run.IsBeforeCollections && run.Unit.Purpose is (UnitPurpose.First or UnitPurpose.Again))
        {
            FailTogether(process, left);
            return null;
        }

        if (PartsAtBegin(left, end) is { Count: > 1 } parts)
        {
            // A process that dies at once may not have reported which test had begun. Of one that hangs, nothing tells
            // with which class its framework has begun.
            parts.ForEach(part => Repeat(new TestUnit
            {
                Tests = part,
                Purpose = UnitPurpose.Again,
                Causes = [.. OpenCauses(run), .. own],
            }));
            return null;
        }

        // It ended before its first test: in what the tests of a class share.
        return [.. left.Where(test => test.ClassName == left[0].ClassName)];
    }

    /// <summary>Judges the tests that the end of their process interrupted.</summary>
    /// <returns>The end, if none of them is known to be to blame; else null.</returns>
    private UnclearEnd? JudgeVictims(EndedUnit process, List<TestCase> victims)
    {
        (UnitRun run, UnitEnd end) = (process.Run, process.End);
        bool isUnsure = IsUnsure(run, end, victims);
        UnclearEnd? cause = isUnsure || (run.Unit.Assembly.Host.ReportsLate && victims.Count == 0)
            ? new UnclearEnd(
                process.Rows.OfProcess(run.Unit.Tests[0], victims, end), run.Unit, victims, Others(run, victims))
            : null;
        foreach (TestCase test in victims)
        {
            if (isUnsure)
            {
                Repeat(new TestUnit { Tests = [test], Purpose = UnitPurpose.Alone, Causes = [cause!] });
                continue;
            }

            RunningTest? started = run.Running.FirstOrDefault(one => one.Case == test);
            TestRow row = process.Rows.Interrupted(test, started, end, process.Moment);
            ledger[test].Attempts++;
            Fail(run, test, [.. process.Ended[test], row], Company(run, test) is { Count: > 1 });
        }

        return cause;
    }

    /// <summary>Lets the tests run that come after the victims.</summary>
    private void RunRest(UnitRun run, List<TestCase> left, List<TestCase> victims, UnclearEnd? cause)
    {
        foreach (TestCase[] rest in Rests(run, left, victims))
        {
            Repeat(run.Unit with
            {
                Tests = rest,
                Purpose = UnitPurpose.First,
                IsRest = true,
                Expected = TimeSpan.Zero,
                Causes = cause is null ? OpenCauses(run) : [.. OpenCauses(run), cause],
            });
        }
    }

    /// <summary>Gets the ends of earlier processes whose reason may still be among the tests that are left.</summary>
    private static IReadOnlyList<UnclearEnd> OpenCauses(UnitRun run) =>
        run.Unit.Assembly.Host.ReportsLate ? [] : run.Unit.Causes;

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
    private void FailTogether(EndedUnit process, List<TestCase> tests)
    {
        List<TestCase> again = [];
        TimeSpan delay = TimeSpan.Zero;
        foreach (TestCase test in tests)
        {
            CaseState state = ledger[test];
            TestPolicy policy = policyOf(test);
            TestRow[] failure = [process.Rows.Interrupted(test, null, process.End, process.Moment) with
            {
                Message = $"{process.End.Text}, before the first collection of tests",
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
            Repeat(process.Run.Unit with { Tests = again, Purpose = UnitPurpose.Again, Delay = delay });
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
