using System;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>
/// Limits how long a run that is being stopped or is over its limit waits for its receivers once no more output can
/// come: they may take their time, but not forever. A field of a single owner, guarded by the child's gate.
/// </summary>
internal struct DeliveryLimit()
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    /// <summary>Gets the cause of the limit, or <see cref="StopCause.None"/> if there is no limit.</summary>
    public StopCause Cause { get; private set; }

    /// <summary>Gets the instant at which the receivers are abandoned.</summary>
    public long Until { get; private set; } = MonotonicClock.Never;

    /// <summary>Sets the limit: the run waits only a moment longer. The first cause is kept.</summary>
    public void Begin(StopCause cause) => Cause = Cause == StopCause.None ? cause : Cause;

    /// <summary>Abandons the receivers if their time is up.</summary>
    /// <returns>Whether this call abandoned them.</returns>
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
