using System.Collections.Generic;
using PTest.Units;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Represents what an ended process leads to.</summary>
/// <param name="Next">The units that follow from it.</param>
/// <param name="Settled">The tests that have their verdict now.</param>
/// <param name="End">How the process ended.</param>
internal sealed record Judgement(IReadOnlyList<TestUnit> Next, IReadOnlyList<TestRow> Settled, UnitEnd End);
