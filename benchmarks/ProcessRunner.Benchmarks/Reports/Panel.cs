using System.Collections.Generic;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Represents a part of a plot.</summary>
/// <param name="Title">The title, with the unit.</param>
internal abstract record Panel(string Title);

/// <summary>Represents a panel with a bar for each contender.</summary>
internal sealed record BarPanel(string Title, IReadOnlyList<Bar> Bars) : Panel(Title);

/// <summary>Represents a panel with a line for each contender over evenly spaced points.</summary>
/// <param name="Title">The title, with the unit.</param>
/// <param name="Across">The meaning of the points.</param>
/// <param name="Points">The names of the points.</param>
/// <param name="Series">The lines.</param>
/// <param name="IsLogarithmic">True if the scale is logarithmic.</param>
internal sealed record LinePanel(
    string Title, string Across, IReadOnlyList<string> Points, IReadOnlyList<Series> Series, bool IsLogarithmic)
    : Panel(Title);

/// <summary>Represents a bar: its length, or null and a text to show instead.</summary>
internal sealed record Bar(string Name, ContenderKind Kind, double? Value, string Label);

/// <summary>Represents a line: a value for each point, or null.</summary>
internal sealed record Series(string Name, ContenderKind Kind, IReadOnlyList<double?> Values);
