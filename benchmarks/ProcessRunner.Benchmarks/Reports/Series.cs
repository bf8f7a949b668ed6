using System.Collections.Generic;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Represents a line: a value for each point, or null.</summary>
internal sealed record Series(string Name, ContenderKind Kind, IReadOnlyList<double?> Values);
