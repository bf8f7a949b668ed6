using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>The times of a batch, of which a timer keeps the next one. Not thread-safe.</summary>
internal sealed class BatchAlarm(BackendTimer timer, BatchOptions options, long now) : IDisposable
{
    private long _timeoutAt = MonotonicClock.After(now, options.Timeout);
    private long _progressAt =
        options.Progress is null ? MonotonicClock.Never : MonotonicClock.After(now, options.ProgressInterval);

    private long _armedFor = MonotonicClock.Never;

    /// <summary>Whether the time limit of the batch has just passed.</summary>
    public bool IsTimeout(long instant) => HasPassed(ref _timeoutAt, MonotonicClock.Never, instant);

    /// <summary>Whether a report is due; the next one follows after the interval.</summary>
    public bool IsReportDue(long instant) =>
        HasPassed(ref _progressAt, MonotonicClock.After(instant, options.ProgressInterval), instant);

    /// <summary>The timer has called back and is set no more.</summary>
    public void OnTimer() => _armedFor = MonotonicClock.Never;

    /// <summary>Sets the timer for what comes first.</summary>
    /// <param name="next">What others want: a retry, another look at a gate.</param>
    public void Arm(long next)
    {
        next = Math.Min(next, Math.Min(_timeoutAt, _progressAt));
        if (next != _armedFor)
        {
            Set(next);
        }
    }

    /// <summary>Has the timer call back at once, if it is not about to.</summary>
    public void Ring(long now)
    {
        if (now < _armedFor)
        {
            Set(now);
        }
    }

    public void Dispose() => timer.Dispose();

    private void Set(long next)
    {
        _armedFor = next;
        timer.Set(next);
    }

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
