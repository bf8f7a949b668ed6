using System;

namespace PTest.Hosts;

/// <summary>Represents a position in what a process writes to its standard streams.</summary>
/// <param name="Moment">A moment at which the process was there.</param>
/// <param name="Mark">The last mark up to there, or 0 before the first; null if the host writes none.</param>
internal readonly record struct OutputPosition(DateTime Moment, int? Mark)
{
    /// <summary>Gets the position behind all output.</summary>
    public static OutputPosition End { get; } = new(DateTime.MaxValue, null);
}
