using System;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution.Batches;

/// <summary>Represents the due times of a batch. The timer is set for the next one. Not thread-safe.</summary>
internal sealed class BatchAlarm(BackendTimer timer, BatchOptions options, long now) : IDisposable
{
    // A thread whose start hangs does not return to start more children. The timer's thread then makes the following
    // starts.
    private static readonly TimeSpan s_startPatience = TimeSpan.FromMilliseconds(100);

    private long _timeoutAt = MonotonicClock.After(now, options.Timeout);
    private long _progressAt =
        options.Progress is null ? MonotonicClock.Never : MonotonicClock.After(now, options.ProgressInterval);

    private long _armedFor = MonotonicClock.Never;

    /// <summary>Returns whether the time limit of the batch has just passed.</summary>
    public bool IsTimeout(long instant) => HasPassed(ref _timeoutAt, MonotonicClock.Never, instant);

    /// <summary>Returns whether a report is due. The next report follows after the interval.</summary>
    public bool IsReportDue(long instant) =>
        HasPassed(ref _progressAt, MonotonicClock.After(instant, options.ProgressInterval), instant);

    /// <summary>Handles the callback of the timer, and sets the timer for the limits alone.</summary>
    public void OnTimer()
    {
        _armedFor = MonotonicClock.Never;
        Arm(MonotonicClock.Never);
    }

    /// <summary>
    /// Sets the timer for an instant at the latest, for example for a retry or for another check of a gate. The
    /// callback may come earlier, because the timer is never postponed.
    /// </summary>
    public void Arm(long instant)
    {
        instant = Math.Min(instant, Math.Min(_timeoutAt, _progressAt));
        if (instant < _armedFor)
        {
            _armedFor = instant;
            timer.Set(instant);
        }
    }

    /// <summary>Handles the beginning of a start.</summary>
    public void OnStart(long now) => Arm(MonotonicClock.After(now, s_startPatience));

    public void Dispose() => timer.Dispose();

    private static bool HasPassed(ref long at, long next, long instant)
    {
        if (instant < at)
        {
            return false;
        }

        at = next;
        return true;
    }
}
