using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents a stop of one run that failed for lack of memory, until it is tried again. Of several stops, the first
/// cause and the shortest grace are kept. Allocates no memory.
/// </summary>
/// <remarks>
/// A field of one <see cref="ChildLife"/>, so that it costs no allocation. Guarded by the child's gate.
/// </remarks>
internal struct OwedStop()
{
    private TimeSpan _grace;
    private StopCause _cause;

    /// <summary>Gets the instant at which the stop is to be tried again.</summary>
    public long DueAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Adds a stop that is to be tried again in a moment.</summary>
    public void Add(StopCause cause, TimeSpan grace)
    {
        bool isSooner = MonotonicClock.After(0, grace) < MonotonicClock.After(0, _grace);
        _grace = _cause == StopCause.None || isSooner ? grace : _grace;
        _cause = _cause == StopCause.None ? cause : _cause;
        DueAt = MonotonicClock.In(MemoryRetry.Pause);
    }

    /// <summary>Takes the stop if it is due.</summary>
    /// <returns>False if none is due.</returns>
    public bool TryTake(long now, out StopCause cause, out TimeSpan grace)
    {
        (cause, grace) = (_cause, _grace);
        if (now < DueAt)
        {
            return false;
        }

        DueAt = MonotonicClock.Never;
        _cause = StopCause.None;
        return true;
    }
}
