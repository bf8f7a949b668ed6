using System;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Runs the body of a test on its own plain thread. A hang then fails that test instead of blocking the run, and the
/// guard works in any state of the ThreadPool. A body that comes to no end fails, too: under Wine 8, a thread that
/// overflows its stack vanishes, and the process goes on.
/// </summary>
public static class Guard
{
    private const string LimitVariable = "TEST_LIMIT_SECONDS";

    /// <summary>
    /// Gets the time that a test may take if it does not say so itself. A runner that must come to an end itself asks
    /// for less.
    /// </summary>
    public static TimeSpan Limit { get; } = TimeSpan.FromSeconds(
        int.TryParse(Environment.GetEnvironmentVariable(LimitVariable), out int seconds) ? seconds : 600);

    public static void Run(Action body) => Run(Limit, body);

    public static void Run(TimeSpan limit, Action body)
    {
        ExceptionDispatchInfo? failure = null;
        bool hasEnded = false;
        Thread thread = new(() =>
        {
            try
            {
                body();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }

            hasEnded = true;
        })
        {
            IsBackground = true,
            Name = "guarded test",
        };
        thread.Start();
        if (!thread.Join(limit))
        {
            throw new TimeoutException($"The test still ran after {limit}: something hangs.");
        }

        failure?.Throw();
        if (!hasEnded)
        {
            throw new InvalidOperationException("The thread of the test ended before the test did.");
        }
    }
}
