using System;

namespace ProcessRunner.Backends.Primitives;

/// <summary>Keeps deadlines and calls back when one has passed. Thread-safe.</summary>
internal interface IDeadlineKeeper
{
    /// <summary>Keeps the deadlines of an entry from now on.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory. Nothing has changed.</exception>
    void Admit(TimedEntry entry);

    /// <summary>Removes an entry with its deadline. A call in progress may still follow.</summary>
    void Dismiss(TimedEntry entry);

    /// <summary>
    /// Sets the deadline of an entry; <see cref="MonotonicClock.Never"/> removes it. Allocates no memory.
    /// </summary>
    void SetDeadline(TimedEntry entry, long instant);
}
