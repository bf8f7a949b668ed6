using System;
using System.Buffers;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends;

/// <summary>Where the arrays come from that hold what streams carry: the large part of this library's memory.</summary>
internal static class Buffers
{
    /// <summary>Makes an array whose contents are undefined.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory, or no more of it is allowed (DOTNET_GCHeapHardLimit).</exception>
    public static T[] Allocate<T>(int length)
    {
        FaultPoint.Allocate("buffer");
        return GC.AllocateUninitializedArray<T>(length);
    }

    /// <summary>Rents bytes from the shared pool. <see cref="Thread.Interrupt"/>, which ends the wait for its locks, stays pending.</summary>
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
            // The pool may have them already. To return them twice would be worse than to leave them to the collector.
            Thread.CurrentThread.Interrupt();
        }
        catch (OutOfMemoryException)
        {
            // What the pool wanted for its own lists: the bytes are left to the collector, too.
        }
    }
}
