using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Provides ways to block that <see cref="Thread.Interrupt"/> does not end: the interrupt stays pending for the
/// thread's next wait. They serve a user's thread in the middle of an operation, above all with a child's gate held,
/// where an exception would leave a half-handled event and a run that never ends.
/// </summary>
internal static class Uninterruptible
{
    private static readonly ManualResetEvent s_open = new(initialState: true);

    /// <summary>Takes a lock that its holders keep for microseconds, or for the start of a guardian.</summary>
    public static Scope Lock(object gate)
    {
        Do(gate, Monitor.Enter);
        return new Scope(gate);
    }

    /// <summary>Checks in debug builds that the calling thread holds a lock.</summary>
    [Conditional("DEBUG")]
    public static void AssertHeld(object gate) =>
        Debug.Assert(Monitor.IsEntered(gate), "The caller must hold the gate.");

    /// <summary>Blocks in an action that can be repeated: if it is interrupted, it has done nothing.</summary>
    public static void Do<T>(T state, Action<T> block)
    {
        // A loop, because a wait can take long and meet any number of interrupts.
        bool isInterrupted = false;
        try
        {
            while (!TryDo(state, block))
            {
                isInterrupted = true;
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.CurrentThread.Interrupt();
            }
        }
    }

    /// <summary>Clears an interrupt that is pending for this thread.</summary>
    public static void Forget()
    {
        try
        {
            // A wait that returns at once, unless an interrupt is pending.
            s_open.WaitOne();
        }
        catch (ThreadInterruptedException)
        {
        }
    }

    private static bool TryDo<T>(T state, Action<T> block)
    {
        try
        {
            block(state);
            return true;
        }
        catch (ThreadInterruptedException)
        {
            return false;
        }
    }

    /// <summary>Represents a lock that is held.</summary>
    public readonly ref struct Scope(object gate)
    {
        public void Dispose() => Monitor.Exit(gate);
    }
}
