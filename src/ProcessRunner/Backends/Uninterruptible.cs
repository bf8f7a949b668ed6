using System;
using System.Buffers;
using System.Threading;

namespace ProcessRunner.Backends;

/// <summary>
/// Ways to block that <see cref="Thread.Interrupt"/> does not end: the interrupt stays pending for the thread's next wait.
/// For whatever a user's thread does in the middle of something, above all with a child's gate held, where an exception
/// would leave a half-handled event, and a run that never ends.
/// </summary>
internal static class Uninterruptible
{
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

    /// <summary>Rents bytes from the shared pool, whose locks can be interrupted as well.</summary>
    public static byte[] Rent(int size)
    {
        try
        {
            return ArrayPool<byte>.Shared.Rent(size);
        }
        catch (ThreadInterruptedException)
        {
            byte[] bytes = Rent(size);
            Thread.CurrentThread.Interrupt();
            return bytes;
        }
    }

    /// <summary>Returns bytes to the shared pool.</summary>
    public static void Return(byte[] bytes)
    {
        try
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
        catch (ThreadInterruptedException)
        {
            // The pool may have them already. To return them twice would be worse than to leave them to the collector.
            Thread.CurrentThread.Interrupt();
        }
    }

    /// <summary>A lock that is held.</summary>
    public readonly ref struct Scope(object gate)
    {
        public void Dispose() => Monitor.Exit(gate);
    }
}
