using System;
using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>
/// Keeps the verdicts: each test has exactly one, whatever happens to its processes. Used by the thread of the run.
/// </summary>
internal sealed class Ledger
{
    private readonly Dictionary<TestCase, CaseState> _states;
    private readonly List<TestRow> _rows = [];

    public Ledger(IReadOnlyList<TestCase> tests) =>
        _states = tests.ToDictionary(test => test, test => new CaseState(test));

    /// <summary>Gets the tests with verdicts, in the order of these.</summary>
    public IReadOnlyList<TestRow> Rows => _rows;

    /// <summary>Gets how many tests failed. One that did not run, as with data that differ, says nothing.</summary>
    public int Failures { get; private set; }

    public int Settled { get; private set; }

    public int Count => _states.Count;

    public CaseState this[TestCase test] => _states[test];

    /// <summary>Gives a test its verdict.</summary>
    public IReadOnlyList<TestRow> Settle(TestCase test, IReadOnlyList<TestRow> rows)
    {
        CaseState state = _states[test];
        if (state.IsSettled)
        {
            throw new InvalidOperationException($"{test} has a verdict already.");
        }

        state.IsSettled = true;
        Settled++;
        return Add(rows);
    }

    /// <summary>Adds rows that belong to no test: what failed around the tests.</summary>
    public IReadOnlyList<TestRow> Add(IReadOnlyList<TestRow> rows)
    {
        _rows.AddRange(rows);
        Failures += rows.Count(row => row.IsFailure && row.Verdict != Verdict.NotRun);
        return rows;
    }

    /// <summary>Settles what is left: it has not run.</summary>
    /// <param name="reason">The reason, or null if the run was ended as its options say.</param>
    public IReadOnlyList<TestRow> SettleRest(string? reason)
    {
        List<TestRow> rows = [];
        foreach (CaseState state in _states.Values.Where(state => !state.IsSettled))
        {
            // A failure that was to be looked into stays one, and so does a pass.
            rows.AddRange(
                Settle(state.Test, state.FirstFailure ?? state.Held ?? [TestRows.NotRun(state.Test, reason)]));
        }

        return rows;
    }
}
