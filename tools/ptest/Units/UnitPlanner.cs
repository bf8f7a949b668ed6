using System;
using System.Collections.Generic;
using System.Linq;
using PTest.History;
using PTest.Running;
using PTest.Suites;

namespace PTest.Units;

/// <summary>Puts tests into units. Tests that nothing may run beside never share a unit with others.</summary>
internal sealed class UnitPlanner(
    Isolation isolation, int jobs, TestHistory history, Func<TestCase, TestPolicy> policyOf)
{
    /// <summary>The largest share of a unit's time that the start of its process may take.</summary>
    private const double StartShare = 0.1;

    /// <summary>Makes the units, the longest first.</summary>
    public IReadOnlyList<TestUnit> Plan(IReadOnlyList<TestCase> tests) =>
    [
        .. tests.GroupBy(test => (test.Assembly, test.IsExclusive, Place(test)))
            .SelectMany(group => Split(group.Key.Assembly, [.. group]))
            .OrderByDescending(unit => unit.Expected),
    ];

    /// <summary>Gets what tests must have in common to share a process: one process is in one group.</summary>
    private (string? Group, int Slots) Place(TestCase test) =>
        test.Assembly.Host.CanSelect ? (policyOf(test).Group, policyOf(test).Slots) : default;

    private IEnumerable<TestUnit> Split(TestAssembly assembly, IReadOnlyList<TestCase> tests)
    {
        if (!assembly.Host.CanSelect)
        {
            return [Unit(tests, isWhole: true)];
        }

        return isolation.Kind switch
        {
            IsolationKind.Assembly => [Unit(tests, isWhole: true)],
            IsolationKind.Test => tests.Select(test => Unit([test])),
            IsolationKind.Class => tests.GroupBy(test => test.ClassName).Select(group => Unit([.. group])),
            IsolationKind.Collection => Collections(tests).Select(collection => Unit(collection)),
            IsolationKind.Chunk => Collections(tests).Chunk(isolation.Size)
                .Select(chunk => Unit([.. chunk.SelectMany(collection => collection)])),
            _ => Adapt(assembly, tests),
        };
    }

    private static IEnumerable<IReadOnlyList<TestCase>> Collections(IReadOnlyList<TestCase> tests) =>
        tests.GroupBy(test => test.Collection).Select(group => (IReadOnlyList<TestCase>)[.. group]);

    /// <summary>
    /// Fills units up to the time that makes a start cheap. Where there is little to do it fills as many units as can
    /// run at once, but none that takes less time than its own start.
    /// </summary>
    private IEnumerable<TestUnit> Adapt(TestAssembly assembly, IReadOnlyList<TestCase> tests)
    {
        TimeSpan start = history.StartTime(assembly);
        TimeSpan total = Expected(tests);
        TimeSpan enough = start / StartShare;
        TimeSpan target = Max(start, Min(enough, total / jobs));
        List<TestCase> unit = [];
        TimeSpan filled = TimeSpan.Zero;
        foreach (IReadOnlyList<TestCase> collection in Collections(tests)
            .OrderByDescending(collection => Expected(collection)))
        {
            unit.AddRange(collection);
            filled += Expected(collection);
            if (filled >= target)
            {
                yield return Unit(unit);
                unit = [];
                filled = TimeSpan.Zero;
            }
        }

        if (unit.Count > 0)
        {
            yield return Unit(unit);
        }
    }

    private TestUnit Unit(IReadOnlyList<TestCase> tests, bool isWhole = false) =>
        new() { Tests = tests, IsWhole = isWhole, Expected = Expected(tests) };

    private TimeSpan Expected(IEnumerable<TestCase> tests) =>
        TimeSpan.FromMilliseconds(tests.Sum(test => history.Expected(test).TotalMilliseconds));

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
