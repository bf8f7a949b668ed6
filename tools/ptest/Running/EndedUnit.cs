using System;
using System.Linq;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Represents a process of tests that has ended.</summary>
/// <param name="Run">Its events.</param>
/// <param name="Rows">Makes the rows of its tests.</param>
/// <param name="Ended">The rows of the tests that ended in it, by the test.</param>
/// <param name="End">How it ended.</param>
/// <param name="Moment">When it ended.</param>
internal sealed record EndedUnit(
    UnitRun Run, TestRows Rows, ILookup<TestCase, TestRow> Ended, UnitEnd End, DateTime Moment);
