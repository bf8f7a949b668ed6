using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>
/// Takes a run from the exit of its child to its end: settles the descendants, drains the pipes, looks for the
/// processes that hold them, and lets the receivers take the rest. Each step may need several events, and each is
/// limited in time once the run is being stopped.
/// </summary>
/// <remarks>
/// A field of one <see cref="ChildLife"/>, so that it costs no allocation. Guarded by the child's gate. Draining can
/// exceed a limit, which re-enters <see cref="OnStop"/>.
/// </remarks>
internal struct RunTeardown()
{
    // Once every process that can be found is dead, only a process that cannot be found holds a pipe.
    private static readonly TimeSpan s_drainAfterKill = TimeSpan.FromMilliseconds(100);

    // Where the dead cannot be told from the living, a process that has been killed may still hold a pipe: on a busy
    // machine it dies when it gets a processor.
    private static readonly TimeSpan s_drainAfterBlindKill = TimeSpan.FromSeconds(5);

    // Created on demand: most runs end by themselves and leave no process behind.
    private DescendantCleanup? _descendants;
    private DeliveryLimit _deliveryLimit = new();
    private long _drainUntil = MonotonicClock.Never;
    private long _exitedAt;

    /// <summary>Gets whether the descendants are to be killed.</summary>
    public readonly bool MustSettle => _descendants is { MustSettle: true };

    /// <summary>Gets the descendants that were alive at the last survey.</summary>
    public readonly IReadOnlyList<SurvivingProcess> Survivors => _descendants?.Survivors ?? [];

    /// <summary>Gets the descendants that were found after the exit and ended.</summary>
    public readonly IReadOnlyList<SurvivingProcess> Killed => _descendants?.Killed ?? [];

    /// <summary>
    /// Returns the instant at which <see cref="TryFinish"/> is to be called if nothing happens before.
    /// </summary>
    public readonly long NextStep(RunStreams streams) => _descendants is { IsBusy: true }
        ? _descendants.NextStep
        : Math.Min(_deliveryLimit.Until, streams.AreOpen ? _drainUntil : MonotonicClock.Never);

    /// <summary>Handles the stop of the run.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it. Nothing has changed.</exception>
    public void OnStop(RunStreams streams, long now) => Descendants(streams).OnStop(now);

    /// <summary>Handles a further signal of the stop.</summary>
    public readonly void OnFurtherStop(PosixSignal signal) => _descendants?.OnFurtherStop(signal);

    /// <summary>Handles the kill of the child's reach.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it. Nothing has changed.</exception>
    public void OnKill(RunStreams streams, long now) => Descendants(streams).OnKill(now);

    /// <summary>Handles the exit of the child: the time for draining its pipes begins.</summary>
    /// <param name="streams">The streams of the run.</param>
    /// <param name="now">The instant of the exit.</param>
    /// <param name="timeoutAt">The instant at which the run times out, which ends the draining as well.</param>
    public void OnExit(RunStreams streams, long now, long timeoutAt)
    {
        _exitedAt = now;
        _drainUntil = Math.Min(MonotonicClock.After(now, streams.Command.DrainGrace), timeoutAt);
        if (streams.Command.Descendants == DescendantPolicy.KillAlways)
        {
            Descendants(streams).OnExit(now);
        }
    }

    /// <summary>Handles the answer of a survey.</summary>
    public void OnSurvey(RunStreams streams, IReadOnlyList<Descendant> descendants, bool isLast) =>
        Descendants(streams).OnSurvey(descendants, isLast);

    /// <summary>Handles that a request to stop, which was on its way, has not reached a descendant.</summary>
    public readonly void OnStopNotSent(Descendant descendant) => _descendants?.OnStopNotSent(descendant);

    /// <summary>Ends the time for draining.</summary>
    public void EndDrain(long now) => _drainUntil = now;

    /// <summary>Limits the time of the receivers. The first cause is kept.</summary>
    public void LimitDelivery(StopCause cause) => _deliveryLimit.Begin(cause);

    /// <summary>Goes on as far as possible. Every event after the exit calls this method again.</summary>
    /// <param name="streams">The streams of the run.</param>
    /// <param name="now">The current instant.</param>
    /// <param name="cause">The cause of the run's stop, set if the receivers ran out of time.</param>
    /// <returns>True if nothing is left to do before the end of the run.</returns>
    public bool TryFinish(RunStreams streams, long now, ref StopCause cause)
    {
        if (!TrySettle(now) || !TryDrain(streams, now) || !TryLook(streams, now))
        {
            return false;
        }

        // The bytes drained here can exceed the output limit, which stops the run like any other stop.
        streams.EndAll();
        return TrySettle(now) && TryDeliver(streams, now, ref cause);
    }

    private DescendantCleanup Descendants(RunStreams streams) =>
        _descendants ??= new DescendantCleanup(streams.Command, streams.Child);

    private readonly bool TrySettle(long now) => _descendants is null || _descendants.TrySettle(now);

    private bool TryDrain(RunStreams streams, long now)
    {
        if (streams.AreOpen && _descendants?.KilledAt is long killedAt)
        {
            TimeSpan longest =
                streams.Services.Capabilities.FindsDescendants ? s_drainAfterKill : s_drainAfterBlindKill;

            // A kill can take until the exit: the portable backend looks for the descendants meanwhile.
            long begin = Math.Max(killedAt, _exitedAt);
            _drainUntil = Math.Min(_drainUntil, MonotonicClock.After(begin, longest));
        }

        return !streams.AreOpen || now >= _drainUntil;
    }

    private bool TryLook(RunStreams streams, long now)
    {
        bool isSuspicious = streams.AreOpen;
        return (!isSuspicious && streams.Command.Descendants != DescendantPolicy.Report)
            || Descendants(streams).TrySurvey(isSuspicious, now);
    }

    // Receivers may take their time, but not forever once the run is being stopped or is over its limit.
    private bool TryDeliver(RunStreams streams, long now, ref StopCause cause)
    {
        if (_deliveryLimit.TryGiveUp(streams, now) && cause == StopCause.None)
        {
            // The child may have ended in time, but the run has not.
            cause = _deliveryLimit.Cause;
        }

        return streams.AreDelivered;
    }
}
