namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Represents an object with one deadline at a time, which a reactor keeps. The lock of that reactor guards the entry.
/// </summary>
internal abstract class TimedEntry
{
    /// <summary>Gets or sets when the reactor calls back. Owned by the reactor's heap.</summary>
    public long Deadline { get; set; } = MonotonicClock.Never;

    /// <summary>Gets or sets the index in the reactor's heap, or -1. Owned by that heap.</summary>
    public int DeadlineIndex { get; set; } = -1;

    /// <summary>
    /// Gets or sets whether the reactor's heap has room for the entry, with a deadline or without. Owned by that heap.
    /// </summary>
    public bool IsAdmitted { get; set; }
}
