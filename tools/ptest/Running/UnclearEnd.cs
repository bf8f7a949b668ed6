using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>
/// Represents an end of a process for which no test is known to be to blame. Each test that may be runs again by
/// itself, and then all of them together. If that ends well, the end remains unexplained, and is reported: it is never
/// a pass.
/// </summary>
/// <param name="row">Reports the end if it remains unexplained.</param>
/// <param name="unit">The tests of the process.</param>
/// <param name="victims">The tests that are known to have run when it ended.</param>
/// <param name="others">The tests whose fixtures may have ended the process.</param>
internal sealed class UnclearEnd(
    TestRow row, TestUnit unit, IReadOnlyList<TestCase> victims, IReadOnlyList<TestCase> others)
{
    public TestRow Row { get; } = row;

    public TestUnit Unit { get; } = unit;

    public IReadOnlyList<TestCase> Others { get; } = others;

    /// <summary>Gets or sets the number of units that look for the reason and have not ended yet.</summary>
    public int Open { get; set; }

    /// <summary>Gets or sets how often a unit has run once more that had come to the same end.</summary>
    public int Retries { get; set; }

    public bool IsExplained { get; set; }

    /// <summary>Returns whether the same tests have come to this end again.</summary>
    public bool IsAgain(UnitRun run, UnitEnd end) => end.Verdict == Row.Verdict
        && (run.Unit.Assembly.Host.ReportsLate || run.Running.All(test => victims.Contains(test.Case)));
}
