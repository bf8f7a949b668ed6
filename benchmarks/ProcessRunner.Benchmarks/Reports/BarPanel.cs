using System.Collections.Generic;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Represents a panel with a bar for each contender.</summary>
internal sealed record BarPanel(string Title, IReadOnlyList<Bar> Bars) : Panel(Title);
