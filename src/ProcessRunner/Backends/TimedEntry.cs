namespace ProcessRunner.Backends;

/// <summary>Something that has one deadline at a time, kept by a reactor.</summary>
internal abstract class TimedEntry
{
    /// <summary>When the reactor calls back; owned by the reactor's heap.</summary>
    public long Deadline { get; set; } = MonotonicClock.Never;

    /// <summary>Where it stands in the reactor's heap, or -1; owned by that heap.</summary>
    public int DeadlineIndex { get; set; } = -1;

    /// <summary>Whether it has its place in the reactor's heap, with a deadline or without; owned by that heap.</summary>
    public bool IsAdmitted { get; set; }
}
