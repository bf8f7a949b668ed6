namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Represents an object with one deadline at a time, which an <see cref="IDeadlineKeeper"/> keeps. The keeper's lock
/// guards the entry.
/// </summary>
internal abstract class TimedEntry
{
    /// <summary>Gets or sets when the keeper calls back. Owned by the keeper's heap.</summary>
    public long Deadline { get; set; } = MonotonicClock.Never;

    /// <summary>Gets or sets the index in the keeper's heap, or -1. Owned by that heap.</summary>
    public int DeadlineIndex { get; set; } = -1;

    /// <summary>
    /// Gets or sets whether the keeper's heap has room for the entry, with a deadline or without. Owned by that heap.
    /// </summary>
    public bool IsAdmitted { get; set; }
}
