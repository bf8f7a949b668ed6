using System;
using System.IO;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Writes the input of a child on a worker thread, which blocks in each write, and closes the pipe behind the last
/// byte.
/// </summary>
/// <remarks>
/// The child's gate guards all fields and the feed; the thread waits on it for further bytes. The thread alone writes
/// the pipe, without the gate, and closes it.
/// </remarks>
/// <param name="child">The child.</param>
/// <param name="pipe">This process's end of the pipe, which the writer owns.</param>
/// <param name="feed">The source of the bytes.</param>
internal sealed class BlockingWriter(PortableChild child, Stream pipe, InputFeed feed)
{
    private const int LargestWrite = 64 * 1024;

    private bool _isStopped;

    /// <summary>Writes until the end of the input, or until <see cref="Stop"/>. Called on a worker thread.</summary>
    public void Run()
    {
        try
        {
            int written = 0;
            while (Next(written) is { IsEmpty: false } bytes)
            {
                pipe.Write(bytes.Span);
                written = bytes.Length;
            }
        }
        catch (IOException)
        {
            // The child no longer reads, as it may.
            using (Uninterruptible.Lock(child.Gate))
            {
                Stop();
            }
        }

        Close();
    }

    /// <summary>Gives up the rest of the input. Requires the gate.</summary>
    public void Stop()
    {
        if (!_isStopped)
        {
            _isStopped = true;
            feed.Abandon();
            Monitor.PulseAll(child.Gate);
        }
    }

    /// <summary>Closes the pipe. Called by the thread that writes it, or if there is none.</summary>
    public void Close()
    {
        try
        {
            pipe.Dispose();
        }
        catch (IOException)
        {
            // The child no longer reads.
        }
    }

    // Returns no bytes at the end of the input.
    private ReadOnlyMemory<byte> Next(int written)
    {
        using (Uninterruptible.Lock(child.Gate))
        {
            if (!_isStopped)
            {
                Advance(written);
            }

            while (!_isStopped && feed.Pending.IsEmpty && !feed.IsComplete)
            {
                Monitor.Wait(child.Gate);
            }

            ReadOnlyMemory<byte> pending = _isStopped ? default : feed.Pending;
            return pending[..Math.Min(pending.Length, LargestWrite)];
        }
    }

    // The child that lacks the memory is stopped, which ends the input.
    private void Advance(int written)
    {
        try
        {
            feed.Advance(written);
        }
        catch (OutOfMemoryException exception)
        {
            child.Events.OnOutOfMemory(exception);
        }
    }
}
