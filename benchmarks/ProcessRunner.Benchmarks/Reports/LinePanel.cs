using System.Collections.Generic;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Represents a panel with a line for each contender over evenly spaced points.</summary>
/// <param name="Title">The title, with the unit.</param>
/// <param name="Across">The meaning of the points.</param>
/// <param name="Points">The names of the points.</param>
/// <param name="Series">The lines.</param>
/// <param name="IsLogarithmic">True if the scale is logarithmic.</param>
internal sealed record LinePanel(
    string Title, string Across, IReadOnlyList<string> Points, IReadOnlyList<Series> Series, bool IsLogarithmic)
    : Panel(Title);
