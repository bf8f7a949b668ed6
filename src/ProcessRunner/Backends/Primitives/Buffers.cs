using System;
using System.Buffers;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Primitives;

/// <summary>Provides the arrays that hold the bytes of streams: the largest part of this library's memory.</summary>
internal static class Buffers
{
    /// <summary>Creates an array with undefined contents.</summary>
    /// <exception cref="OutOfMemoryException">
    /// There is no memory, or the limit is reached (DOTNET_GCHeapHardLimit).
    /// </exception>
    public static T[] Allocate<T>(int length)
    {
        FaultPoint.Allocate("buffer");
        return GC.AllocateUninitializedArray<T>(length);
    }

    /// <summary>
    /// Rents bytes from the shared pool. <see cref="Thread.Interrupt"/>, which ends the wait for the pool's locks,
    /// stays pending.
    /// </summary>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    public static byte[] Rent(int length)
    {
        FaultPoint.Allocate("buffer");
        try
        {
            return ArrayPool<byte>.Shared.Rent(length);
        }
        catch (ThreadInterruptedException)
        {
            byte[] bytes = Rent(length);
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
            // The pool may already have the bytes. To return them twice would be worse than to leave them to the
            // collector.
            Thread.CurrentThread.Interrupt();
        }
        catch (OutOfMemoryException)
        {
            // The pool had no memory for its own lists, so these bytes are left to the collector as well.
        }
    }
}
