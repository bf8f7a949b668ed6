using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends;

/// <summary>
/// Represents a deadline that belongs to no child. Safe from any thread. Calls back on a reactor's thread, with no lock
/// held.
/// </summary>
internal abstract class BackendTimer : TimedEntry, IDisposable
{
    /// <summary>Sets the one instant of the next call; <see cref="MonotonicClock.Never"/> removes it.</summary>
    public abstract void Set(long instant);

    /// <summary>Ends the timer: no further call begins. Does not wait for a call in progress.</summary>
    public abstract void Dispose();
}
