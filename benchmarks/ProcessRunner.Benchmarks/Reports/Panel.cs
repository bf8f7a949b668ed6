using System.Collections.Generic;
using ProcessRunner.Benchmarks.Races;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>One part of a plot.</summary>
/// <param name="Title">What it shows, with the unit.</param>
internal abstract record Panel(string Title);

/// <summary>A bar for each contender.</summary>
internal sealed record BarPanel(string Title, IReadOnlyList<Bar> Bars) : Panel(Title);

/// <summary>A line for each contender, over points that are evenly spaced.</summary>
/// <param name="Title">What it shows, with the unit.</param>
/// <param name="Across">What the points are.</param>
/// <param name="Points">The names of the points.</param>
/// <param name="Series">The lines.</param>
/// <param name="IsLogarithmic">Whether the scale is.</param>
internal sealed record LinePanel(
    string Title, string Across, IReadOnlyList<string> Points, IReadOnlyList<Series> Series, bool IsLogarithmic)
    : Panel(Title);

/// <summary>A bar: its length, or null and what to say instead.</summary>
internal sealed record Bar(string Name, ContenderKind Kind, double? Value, string Label);

/// <summary>A line: a value for each point, null where there is none.</summary>
internal sealed record Series(string Name, ContenderKind Kind, IReadOnlyList<double?> Values);
