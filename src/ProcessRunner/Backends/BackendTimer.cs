using System;

namespace ProcessRunner.Backends;

/// <summary>A deadline that belongs to no child. Safe from any thread, and called back on a reactor's thread with no lock held.</summary>
internal abstract class BackendTimer : TimedEntry, IDisposable
{
    /// <summary>Sets the one instant of the next call; <see cref="MonotonicClock.Never"/> takes it away.</summary>
    public abstract void Set(long instant);

    /// <summary>No call begins any more. One that is under way is not waited for.</summary>
    public abstract void Dispose();
}
