using System;
using System.IO;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Reads one output pipe of a child on a worker thread, which blocks in each read, and passes the bytes to a sink. If
/// the sink is full, or reads by itself, the thread waits with the bytes that it has, until they are taken. A thread
/// that has no bytes is in a read, and so the pipe is empty.
/// </summary>
/// <remarks>
/// The child's gate guards all fields; the thread waits on it. The thread alone reads the pipe, without the gate, into
/// its buffer, and closes the pipe at the end. .NET cannot interrupt a read: a thread whose pipe a stranger holds open
/// after <see cref="Stop"/> stays in its read until the stranger closes the pipe.
/// </remarks>
/// <param name="child">The child.</param>
/// <param name="pipe">This process's end of the pipe, which the reader owns.</param>
/// <param name="sink">The destination of the bytes, or null to discard them.</param>
internal sealed class BlockingReader(PortableChild child, Stream pipe, OutputSink? sink)
{
    private const int BufferSize = 32 * 1024;

    // No pipe of a system that .NET supports is larger than 1 MiB. After the exit, the reader passes on that much to a
    // sink that is full, and what it holds, because the bytes are the child's own.
    private const int MostLeft = (1024 * 1024) + BufferSize;

    // How long a pipe may be silent after the exit before it counts as held open by another process.
    private static readonly TimeSpan s_silence = TimeSpan.FromMilliseconds(100);

    private readonly byte[] _buffer = Buffers.Allocate<byte>(BufferSize);
    private int _start;
    private int _count;
    private int _leftToDrain;
    private int _readsSinceDrain;
    private long _silentAt;
    private bool _isDraining;
    private bool _isCaughtUp;
    private bool _isHeldUp;
    private bool _isStopped;

    /// <summary>Gets whether the pipe may still have bytes for the sink.</summary>
    public bool IsOpen { get; private set; } = true;

    /// <summary>Gets whether the thread has bytes that the sink has yet to take.</summary>
    public bool IsHeldUp => _isHeldUp && _count > 0;

    /// <summary>
    /// Gets the instant at which everything that the child has left counts as read, unless further bytes come before.
    /// It has passed once everything is read. Valid after <see cref="Drain"/>.
    /// </summary>
    public long DrainedAt => IsDrained ? long.MinValue : _silentAt;

    /// <summary>Reads until the end of the pipe, or until <see cref="Stop"/>. Called on a worker thread.</summary>
    public void Run()
    {
        while (Pass(ReadOnce()))
        {
        }

        Close();
    }

    /// <summary>Closes the pipe. Called by the thread that reads it, or if there is none.</summary>
    public void Close() => pipe.Dispose();

    /// <summary>Takes bytes that the thread holds for a sink that reads by itself. Requires the gate.</summary>
    /// <returns>The number of bytes; zero if it holds none.</returns>
    public int Take(Span<byte> room)
    {
        int count = Math.Min(_count, room.Length);
        _buffer.AsSpan(_start, count).CopyTo(room);
        _start += count;
        _count -= count;
        if (count > 0 && _count == 0)
        {
            Monitor.PulseAll(child.Gate);
        }

        return count;
    }

    /// <summary>Continues after the sink was full or has read by itself. Requires the gate.</summary>
    public void Resume()
    {
        _isHeldUp = false;
        Monitor.PulseAll(child.Gate);
    }

    /// <summary>
    /// Passes on what the child has left in the pipe, even to a full sink. Called after the exit. Requires the gate.
    /// </summary>
    public void Drain()
    {
        _isDraining = true;
        _isCaughtUp = false;
        _readsSinceDrain = 0;
        _leftToDrain = MostLeft;
        _silentAt = MonotonicClock.In(s_silence);
        Resume();
    }

    /// <summary>
    /// Passes nothing on from now on. A pipe whose bytes are discarded is still read, because a process that the child
    /// has left behind may write to it. Requires the gate.
    /// </summary>
    public void Stop()
    {
        IsOpen = false;
        _isStopped = sink is not null;
        Monitor.PulseAll(child.Gate);
    }

    private bool IsDrained => !IsOpen || sink is null || _isCaughtUp || _leftToDrain == 0;

    private int ReadOnce()
    {
        try
        {
            return pipe.Read(_buffer);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    // Returns false at the end.
    private bool Pass(int count)
    {
        bool isReleasedNow = false;
        using (Uninterruptible.Lock(child.Gate))
        {
            NoteRead(count);
            if (count > 0 && !_isStopped)
            {
                PassHeld();
            }
            else if (IsOpen)
            {
                IsOpen = false;
                Monitor.PulseAll(child.Gate);
                isReleasedNow = child.OnEndOfOutput();
            }

            if (_isDraining && IsDrained)
            {
                Monitor.PulseAll(child.Gate);
            }
        }

        if (isReleasedNow)
        {
            child.Events.OnReleased();
        }

        return count > 0 && !_isStopped;
    }

    // The first read may have begun before the exit. If a later one does not fill the buffer, the pipe was empty, and
    // what follows is from another process.
    private void NoteRead(int count)
    {
        _start = 0;
        _count = count;
        _readsSinceDrain++;
        _isCaughtUp = _isDraining && _readsSinceDrain > 1 && count < BufferSize;
        _silentAt = MonotonicClock.In(s_silence);
    }

    private void PassHeld()
    {
        if (sink is null)
        {
            return;
        }

        while (_count > 0 && !_isStopped)
        {
            if (_leftToDrain > 0)
            {
                Append(sink);
            }
            else if (sink.IsFull)
            {
                WaitForSink();
            }
            else if (sink.ReadsItself)
            {
                sink.OnReadable();
                WaitForSink();
            }
            else
            {
                Append(sink);
            }
        }
    }

    private void WaitForSink()
    {
        _isHeldUp = true;
        while (_isHeldUp && _count > 0 && !_isStopped)
        {
            Monitor.Wait(child.Gate);
        }

        _isHeldUp = false;
    }

    private void Append(OutputSink destination)
    {
        ReadOnlySpan<byte> bytes = _buffer.AsSpan(_start, _count);
        _leftToDrain = Math.Max(0, _leftToDrain - _count);
        _count = 0;
        try
        {
            Span<byte> room = destination.GetRoom();
            int count = Math.Min(room.Length, bytes.Length);
            bytes[..count].CopyTo(room);
            destination.Commit(count);
            if (count < bytes.Length)
            {
                destination.Append(bytes[count..]);
            }

            child.Events.OnOutput();
        }
        catch (OutOfMemoryException exception)
        {
            child.Events.OnOutOfMemory(exception);
        }
    }
}
