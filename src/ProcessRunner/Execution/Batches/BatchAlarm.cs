using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>The times of a batch, of which a timer keeps the next one. Not thread-safe.</summary>
internal sealed class BatchAlarm(BackendTimer timer, BatchOptions options, long now) : IDisposable
{
    // A thread that starts children does not come back from a start that hangs: then the timer's makes those that follow.
    private static readonly TimeSpan s_startPatience = TimeSpan.FromMilliseconds(100);

    private long _timeoutAt = MonotonicClock.After(now, options.Timeout);
    private long _progressAt =
        options.Progress is null ? MonotonicClock.Never : MonotonicClock.After(now, options.ProgressInterval);

    private long _armedFor = MonotonicClock.Never;

    /// <summary>Whether the time limit of the batch has just passed.</summary>
    public bool IsTimeout(long instant) => HasPassed(ref _timeoutAt, MonotonicClock.Never, instant);

    /// <summary>Whether a report is due; the next one follows after the interval.</summary>
    public bool IsReportDue(long instant) =>
        HasPassed(ref _progressAt, MonotonicClock.After(instant, options.ProgressInterval), instant);

    /// <summary>The timer has called back, and is set for the limits alone now.</summary>
    public void OnTimer()
    {
        _armedFor = MonotonicClock.Never;
        Arm(MonotonicClock.Never);
    }

    /// <summary>
    /// Has the timer call back at an instant at the latest: for a retry, say, or another look at a gate. It may come earlier,
    /// since it is never set back.
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

    /// <summary>A start begins.</summary>
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
