using System;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>
/// Does what must not fail for want of memory: again and again, until there is some. For threads of ours that may wait, which
/// those of the reactors may not.
/// </summary>
internal static class MemoryRetry
{
    /// <summary>How long to wait before the next attempt.</summary>
    public static TimeSpan Pause { get; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Does something that can be done anew where it has failed.</summary>
    public static void Do<T>(T state, Action<T> action)
    {
        while (true)
        {
            try
            {
                action(state);
                return;
            }
            catch (OutOfMemoryException)
            {
                Thread.Sleep(Pause);
            }
        }
    }

    /// <summary>Does something until it has succeeded.</summary>
    /// <param name="state">What it is done to.</param>
    /// <param name="attempt">Returns whether it has succeeded.</param>
    public static void Until<T>(T state, Func<T, bool> attempt)
    {
        while (!attempt(state))
        {
            Thread.Sleep(Pause);
        }
    }
}
