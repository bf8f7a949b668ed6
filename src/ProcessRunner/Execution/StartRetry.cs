using System;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>
/// How often and how soon a start is tried again where the system was short of something for a moment: descriptors,
/// processes, memory, or a program file that a concurrent start still holds open for writing (ETXTBSY, golang/go#22315).
/// </summary>
internal static class StartRetry
{
    /// <summary>How often a start is tried: with the pauses for about a second.</summary>
    public const int MostAttempts = 12;

    private const double FirstPauseMilliseconds = 1;
    private const double LongestPauseMilliseconds = 200;

    /// <summary>Tries on the calling thread, which waits between the attempts: for what no reactor can keep the time of yet.</summary>
    /// <param name="start">Tries once.</param>
    /// <exception cref="ProcessStartException">The start failed for good, or the attempts are used up.</exception>
    public static T Until<T>(Func<T> start)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return start();
            }
            catch (ProcessStartException exception) when (exception.IsTransient && attempt < MostAttempts)
            {
                Thread.Sleep(PauseAfter(attempt));
            }
        }
    }

    /// <summary>How long to wait after so many attempts.</summary>
    public static TimeSpan PauseAfter(int attempts)
    {
        double pause = Math.Min(FirstPauseMilliseconds * Math.Pow(2, attempts - 1), LongestPauseMilliseconds);
        return TimeSpan.FromMilliseconds(pause * (0.5 + Random.Shared.NextDouble()));
    }
}
