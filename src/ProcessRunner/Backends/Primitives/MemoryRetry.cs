using System;
using System.Threading;

namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Retries operations that must not fail for lack of memory, until they succeed. For threads that may wait; reactor
/// threads may not.
/// </summary>
internal static class MemoryRetry
{
    /// <summary>Gets the pause before the next attempt.</summary>
    public static TimeSpan Pause { get; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Runs an action that can be repeated after a failure, until it succeeds.</summary>
    public static void Do<T>(T state, Action<T> action) =>
        Get((state, action), static call =>
        {
            call.action(call.state);
            return true;
        });

    /// <summary>Calls a function that can be repeated after a failure, until it succeeds.</summary>
    public static TResult Get<T, TResult>(T state, Func<T, TResult> function)
    {
        while (true)
        {
            try
            {
                return function(state);
            }
            catch (OutOfMemoryException)
            {
                Uninterruptible.Do(Pause, Thread.Sleep);
            }
        }
    }

    /// <summary>Repeats an attempt until it succeeds.</summary>
    /// <param name="state">The argument of the attempt.</param>
    /// <param name="attempt">A function that returns whether it succeeded.</param>
    public static void Until<T>(T state, Func<T, bool> attempt)
    {
        while (!attempt(state))
        {
            Uninterruptible.Do(Pause, Thread.Sleep);
        }
    }
}
