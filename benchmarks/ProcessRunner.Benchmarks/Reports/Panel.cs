namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Represents a part of a plot.</summary>
/// <param name="Title">The title, with the unit.</param>
internal abstract record Panel(string Title);
