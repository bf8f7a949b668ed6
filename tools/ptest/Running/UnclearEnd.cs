using System.Collections.Generic;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>
/// Represents an end of a process for which no test is known to be to blame. What may be runs again. If that ends well,
/// the end remains unexplained, and is told: it is never a pass.
/// </summary>
/// <param name="row">Tells the end if it remains unexplained.</param>
/// <param name="others">The tests whose fixtures may have ended the process.</param>
internal sealed class UnclearEnd(TestRow row, IReadOnlyList<TestCase> others)
{
    public TestRow Row { get; } = row;

    public IReadOnlyList<TestCase> Others { get; } = others;

    /// <summary>Gets or sets the number of units that look for the reason and have not ended yet.</summary>
    public int Open { get; set; }

    public bool IsExplained { get; set; }
}
