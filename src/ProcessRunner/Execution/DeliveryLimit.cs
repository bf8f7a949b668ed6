using System;
using ProcessRunner.Backends;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>
/// How long a run that is being stopped, or is over its limit, waits for its receivers once nothing more can come: they may
/// take their time, but not for ever. A field of its one owner, guarded by the child's gate.
/// </summary>
internal struct DeliveryLimit()
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    /// <summary>The cause of the limit; <see cref="StopCause.None"/> while there is none.</summary>
    public StopCause Cause { get; private set; }

    /// <summary>When the receivers are given up.</summary>
    public long Until { get; private set; } = MonotonicClock.Never;

    /// <summary>The run waits no longer than for a moment. The first cause stays.</summary>
    public void Begin(StopCause cause) => Cause = Cause == StopCause.None ? cause : Cause;

    /// <summary>Gives up receivers that have had their time.</summary>
    /// <returns>Whether it has done so just now.</returns>
    public bool TryGiveUp(RunStreams streams, long now)
    {
        if (streams.AreDelivered || Cause == StopCause.None)
        {
            return false;
        }

        Until = Math.Min(Until, MonotonicClock.After(now, s_patience));
        if (now < Until)
        {
            return false;
        }

        streams.Abandon();
        Until = MonotonicClock.Never;
        return true;
    }
}
