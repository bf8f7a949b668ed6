using System;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// Tries a start again where the system was short of something for a moment: descriptors, processes, memory, or a
/// program file that a concurrent start still holds open for writing (ETXTBSY, golang/go#22315). The caller's thread
/// waits; a reactor never starts anything again.
/// </summary>
internal static class StartRetry
{
    // Together about a second.
    private const int MostAttempts = 12;
    private const double FirstPauseMilliseconds = 1;
    private const double LongestPauseMilliseconds = 200;

    /// <param name="command">What to start.</param>
    /// <param name="engine">What it starts on, which may have to be made first.</param>
    /// <exception cref="ProcessStartException">The start failed for good, or the attempts are used up.</exception>
    public static Started Spawn(ProcessCommand command, Func<EngineParts> engine)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                EngineParts ready = engine();
                DateTimeOffset time = DateTimeOffset.UtcNow;
                long instant = MonotonicClock.Now;
                return new Started(ready, ready.Backend.Spawn(command), attempt, time, instant);
            }
            catch (ProcessStartException exception) when (exception.IsTransient && attempt < MostAttempts)
            {
                double pause = Math.Min(FirstPauseMilliseconds * Math.Pow(2, attempt - 1), LongestPauseMilliseconds);
                Thread.Sleep(TimeSpan.FromMilliseconds(pause * (0.5 + Random.Shared.NextDouble())));
            }
        }
    }

    /// <summary>A start that succeeded.</summary>
    /// <param name="Engine">What it was started on.</param>
    /// <param name="Child">The child.</param>
    /// <param name="Attempts">Which attempt it was.</param>
    /// <param name="Time">When it began, in universal time.</param>
    /// <param name="Instant">The same by the monotonic clock.</param>
    public readonly record struct Started(EngineParts Engine, BackendChild Child, int Attempts, DateTimeOffset Time, long Instant);
}
