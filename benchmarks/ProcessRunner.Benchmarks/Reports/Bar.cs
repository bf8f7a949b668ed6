using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Represents a bar: its length, or null and a text to show instead.</summary>
internal sealed record Bar(string Name, ContenderKind Kind, double? Value, string Label);
