using System;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Defines how often and how soon a start is retried while the system briefly lacks a resource: descriptors, processes,
/// memory, or a program file that a concurrent start still holds open for writing (ETXTBSY, golang/go#22315).
/// </summary>
internal static class StartRetry
{
    // With the pauses they take about a second.
    private const int MostAttempts = 12;

    private const double FirstPauseMilliseconds = 1;
    private const double LongestPauseMilliseconds = 200;

    /// <summary>
    /// Retries on the calling thread, which sleeps between the attempts. For operations that precede any reactor and
    /// its timers.
    /// </summary>
    /// <param name="start">A function that makes one attempt.</param>
    /// <exception cref="ProcessStartException">The start failed for good, or the attempts are exhausted.</exception>
    public static T Until<T>(Func<T> start)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return start();
            }
            catch (Exception exception) when (Follows(exception, attempt))
            {
                Thread.Sleep(PauseAfter(attempt));
            }
        }
    }

    /// <summary>Returns whether another attempt follows one that failed.</summary>
    /// <param name="failure">The reason for which it failed.</param>
    /// <param name="attempts">The number of attempts so far.</param>
    public static bool Follows(Exception failure, int attempts) =>
        attempts < MostAttempts
        && failure is OutOfMemoryException or ProcessStartException { IsTransient: true };

    /// <summary>Returns the pause after a number of attempts.</summary>
    public static TimeSpan PauseAfter(int attempts)
    {
        double pause = Math.Min(FirstPauseMilliseconds * Math.Pow(2, attempts - 1), LongestPauseMilliseconds);
        return TimeSpan.FromMilliseconds(pause * (0.5 + Surroundings.NextChance()));
    }
}
