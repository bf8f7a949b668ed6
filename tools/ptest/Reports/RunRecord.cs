using System.Collections.Generic;
using System.Linq;
using PTest.Running;

namespace PTest.Reports;

/// <summary>Represents an ended run, with its processes.</summary>
/// <param name="Summary">The verdicts.</param>
/// <param name="Processes">The processes, in the order of their ends.</param>
internal sealed record RunRecord(RunSummary Summary, IReadOnlyList<ProcessSpan> Processes)
{
    /// <summary>Gets the names of the assemblies.</summary>
    public string Title => string.Join(
        ", ", Summary.Rows.Select(row => row.Case.Assembly.Name).Distinct());
}
