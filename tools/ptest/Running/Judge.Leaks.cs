using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <content>Finds the tests that leave processes behind.</content>
internal sealed partial class Judge
{
    /// <summary>
    /// Gives the leaks that have one owner to its row: the one after which the process was seen, or the last one if it
    /// was seen after a later test, as what a process starts that the owner has left behind.
    /// </summary>
    private ILookup<TestCase, TestRow> WithLeaks(ILookup<TestCase, TestRow> ended, IReadOnlyList<Leak> leaks)
    {
        List<TestRow> rows = [.. ended.SelectMany(group => group)];
        foreach (Leak leak in leaks.Where(leak => leak.HasOneOwner))
        {
            int last = rows.FindLastIndex(row => row.Case == leak.Owners[0]);
            int seen = rows.FindLastIndex(row => row.Case == leak.Owners[0] && row.Name == leak.Row);
            int position = seen >= 0 ? seen : last;
            if (position >= 0)
            {
                rows[position] = WithLeak(rows[position], leak.CommandLine);
            }
        }

        return rows.ToLookup(row => row.Case);
    }

    private TestRow WithLeak(TestRow row, string commandLine)
    {
        LeakPolicy policy = policyOf(row.Case).Leaks;
        bool hasPassed = row.Verdict is Verdict.Pass or Verdict.Slow or Verdict.Leak
            || (row.Verdict == Verdict.Skip && policy == LeakPolicy.Fail);
        return policy == LeakPolicy.Ignore ? row : row with
        {
            Leaks = [.. row.Leaks, commandLine],
            Verdict = hasPassed ? Verdict.Leak : row.Verdict,
            IsFailure = row.IsFailure || policy == LeakPolicy.Fail,
        };
    }

    /// <summary>
    /// Gets the tests of a process that may have left a process behind and are to run again to find out. Those that
    /// failed are not among them: they run again anyway.
    /// </summary>
    private HashSet<TestCase> Suspects(EndedUnit process, IReadOnlyList<Leak> leaks) =>
    [
        .. leaks.Where(leak => !leak.HasOneOwner)
            .SelectMany(leak => leak.Owners)
            .Where(test => test.Assembly.Host.CanSelect
                && policyOf(test).Leaks != LeakPolicy.Ignore
                && HasPassed(process, test)),
    ];

    /// <summary>Begins the search for the owner of leaks.</summary>
    private void Hunt(IReadOnlyList<TestCase> suspects, ILookup<TestCase, TestRow> ended, IReadOnlyList<Leak> leaks)
    {
        // If none of the suspects turns out to be the owner, a test that is known to leak or to fail explains it.
        string[] unexplained =
        [
            .. leaks.Where(leak => leak.IsCertain && !leak.HasOneOwner)
                .Where(leak => !leak.Owners.SelectMany(test => ended[test]).Any(row =>
                    row.Leaks.Count > 0 || row.Verdict.IsFailure()))
                .Select(leak => leak.CommandLine),
        ];
        LeakHunt hunt = new(unexplained, suspects);
        _hunts.Add(hunt);
        Split(suspects, hunt);
    }

    private void Split(IReadOnlyList<TestCase> suspects, LeakHunt hunt)
    {
        foreach (TestCase[] part in Parts(suspects))
        {
            hunt.Open++;
            Repeat(new TestUnit { Tests = part, Purpose = UnitPurpose.Leak, Hunt = hunt });
        }
    }

    /// <summary>
    /// Judges the second run of tests of which one may have left a process behind. Their verdicts are those of the
    /// first run; only the leak is new.
    /// </summary>
    private void JudgeHunt(EndedUnit process, IReadOnlyList<Leak> leaks)
    {
        UnitRun run = process.Run;
        LeakHunt hunt = run.Unit.Hunt!;
        bool isAlone = run.Unit.Tests.Count == 1;
        ILookup<TestCase, Leak> found = leaks.Where(leak => isAlone || leak.HasOneOwner)
            .ToLookup(leak => isAlone ? run.Unit.Subject : leak.Owners[0]);
        hunt.IsSolved |= found.Count > 0;
        hunt.Open--;
        HashSet<TestCase> left =
        [
            .. leaks.Where(leak => !isAlone && !leak.HasOneOwner).SelectMany(leak => leak.Owners),
            // A run that did not pass as the first one did says nothing.
            .. run.Unit.Tests.Where(test => !hunt.IsSolved && !(process.End.IsComplete && HasPassed(process, test))),
        ];
        left.RemoveWhere(found.Contains);
        foreach (TestCase test in run.Unit.Tests.Where(test => !left.Contains(test)))
        {
            Settle(test, WithLeaks(ledger[test].Held!, found[test].Select(leak => leak.CommandLine)));
        }

        if (isAlone)
        {
            hunt.Unclear.AddRange(left);
        }
        else
        {
            Split([.. left], hunt);
        }

        if (hunt.Open == 0)
        {
            EndHunt(hunt);
        }
    }

    /// <summary>Settles the tests whose second runs said nothing, and reports a leak that has no known owner.</summary>
    private void EndHunt(LeakHunt hunt)
    {
        _hunts.Remove(hunt);
        bool isExplained = hunt.IsSolved || hunt.CommandLines.Count == 0;
        bool isByExclusion = !isExplained && hunt.Unclear.Count == 1;
        foreach (TestCase test in hunt.Unclear)
        {
            Settle(test, WithLeaks(ledger[test].Held!, hunt.CommandLines.Where(_ => isByExclusion).Select(
                text => $"{text} (the test did not pass again, and no other test leaves it behind)")));
        }

        if (!isExplained && !isByExclusion)
        {
            _settled.AddRange(ledger.Add([RowOf(hunt)]));
        }
    }

    private TestRow RowOf(LeakHunt hunt)
    {
        IReadOnlyList<TestCase> owners = hunt.Unclear.Count > 0 ? hunt.Unclear : hunt.Suspects;
        bool fails = owners.Any(test => policyOf(test).Leaks == LeakPolicy.Fail);
        return TestRows.OfLeaks(owners, hunt.CommandLines, fails);
    }

    private static bool HasPassed(EndedUnit process, TestCase test) =>
        process.Run.HasEnded(test)
        && process.Ended[test].Any()
        && process.Ended[test].All(row => row.Verdict is Verdict.Pass or Verdict.Slow);

    private IReadOnlyList<TestRow> WithLeaks(IReadOnlyList<TestRow> rows, IEnumerable<string> commandLines) =>
        [.. rows.SkipLast(1), commandLines.Aggregate(rows[^1], WithLeak)];
}
