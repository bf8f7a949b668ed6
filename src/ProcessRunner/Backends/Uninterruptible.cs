using System;
using System.Threading;

namespace ProcessRunner.Backends;

/// <summary>
/// Ways to block that <see cref="Thread.Interrupt"/> does not end: the interrupt stays pending for the thread's next wait.
/// For whatever a user's thread does in the middle of something, above all with a child's gate held, where an exception
/// would leave a half-handled event, and a run that never ends.
/// </summary>
internal static class Uninterruptible
{
    private static readonly ManualResetEvent s_open = new(initialState: true);

    /// <summary>Takes a lock that its holders keep for microseconds.</summary>
    public static Scope Lock(object gate)
    {
        Do(gate, Monitor.Enter);
        return new Scope(gate);
    }

    /// <summary>Blocks for something that can be begun anew: it has done nothing if it was interrupted.</summary>
    public static void Do<T>(T state, Action<T> block)
    {
        try
        {
            block(state);
        }
        catch (ThreadInterruptedException)
        {
            Do(state, block);
            Thread.CurrentThread.Interrupt();
        }
    }

    /// <summary>Takes back an interrupt that is pending for this thread.</summary>
    public static void Forget()
    {
        try
        {
            // A wait that need not wait.
            s_open.WaitOne();
        }
        catch (ThreadInterruptedException)
        {
        }
    }

    /// <summary>A lock that is held.</summary>
    public readonly ref struct Scope(object gate)
    {
        public void Dispose() => Monitor.Exit(gate);
    }
}
