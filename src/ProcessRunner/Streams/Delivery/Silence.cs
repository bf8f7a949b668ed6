using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Represents the silence of one stream, of which a receiver may be notified. Not thread-safe.</summary>
/// <param name="patience">How long a stream is silent before the receiver is notified; never, if negative.</param>
internal struct Silence(TimeSpan patience)
{
    private bool _isDue;

    /// <summary>Gets the instant at which the silence is long enough.</summary>
    public long DueAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Gets whether the receiver is to be notified.</summary>
    public readonly bool IsDue => _isDue;

    /// <summary>Handles the arrival of bytes.</summary>
    public void OnBytes()
    {
        _isDue = false;
        if (patience >= TimeSpan.Zero)
        {
            DueAt = MonotonicClock.In(patience);
        }
    }

    /// <summary>Handles a deadline that may have passed.</summary>
    /// <returns>Whether the receiver is to be notified from now on.</returns>
    public bool OnDeadline(long now)
    {
        if (now < DueAt)
        {
            return false;
        }

        DueAt = MonotonicClock.Never;
        _isDue = true;
        return true;
    }

    /// <summary>Notes that the receiver is being notified.</summary>
    /// <returns>False if it is not to be notified.</returns>
    public bool TryTake()
    {
        bool isDue = _isDue;
        _isDue = false;
        return isDue;
    }

    /// <summary>Handles the end of the stream.</summary>
    public void End()
    {
        DueAt = MonotonicClock.Never;
        _isDue = false;
    }
}
