using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Streams.Input;

/// <summary>
/// Provides input that any thread writes while the child runs, through a bounded buffer. A writer that is faster than
/// the child waits.
/// </summary>
/// <remarks>
/// The child's gate guards all fields, and blocked writers wait on it. Writes that do not fit at once form a queue, in
/// the order of their calls, and only the first of them fills the buffer: a blocked writer does this itself, and the
/// reactor does it for an asynchronous write.
/// </remarks>
internal class QueueFeed(BackendChild child) : StreamFeed
{
    private const int Smallest = 4 * 1024;
    private const int Capacity = 64 * 1024;

    // Null represents a blocked writer.
    private readonly LinkedList<PendingWrite?> _writes = new();
    private byte[] _buffer = [];
    private int _start;
    private int _count;
    private bool _isClosed;
    private bool _isAbandoned;

    public override ReadOnlyMemory<byte> Pending => _buffer.AsMemory(_start, _count);

    public override bool IsComplete => _isClosed && _writes.Count == 0;

    /// <summary>Gets whether the input is closed for further writes. Thread-safe.</summary>
    public bool IsClosed
    {
        get
        {
            lock (child.Gate)
            {
                return _isClosed;
            }
        }
    }

    /// <summary>Gets whether the child no longer reads. Thread-safe.</summary>
    public bool IsAbandoned
    {
        get
        {
            using (Uninterruptible.Lock(child.Gate))
            {
                return _isAbandoned;
            }
        }
    }

    /// <summary>Writes all bytes behind the earlier writes, and waits for the child to read.</summary>
    /// <returns>False if the child no longer reads.</returns>
    /// <exception cref="ObjectDisposedException">The input has been closed.</exception>
    public bool Write(ReadOnlySpan<byte> bytes)
    {
        lock (child.Gate)
        {
            ThrowIfClosed();
            LinkedListNode<PendingWrite?> turn = _writes.AddLast((PendingWrite?)null);
            try
            {
                while (!bytes.IsEmpty && !_isAbandoned)
                {
                    int count = _writes.First == turn ? Add(bytes) : 0;
                    bytes = bytes[count..];
                    if (count == 0)
                    {
                        Monitor.Wait(child);
                    }
                }
            }
            finally
            {
                // An abandoned feed has no queue.
                if (turn.List is not null)
                {
                    _writes.Remove(turn);
                    AddPending();
                }
            }

            return !_isAbandoned;
        }
    }

    /// <summary>Writes all bytes behind the earlier writes, without a waiting thread.</summary>
    /// <returns>A task that completes once all bytes have been taken or the child no longer reads.</returns>
    /// <exception cref="ObjectDisposedException">The input has been closed.</exception>
    public Task WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        lock (child.Gate)
        {
            ThrowIfClosed();
            FaultPoint.AllocateManaged();
            if (_isAbandoned || bytes.IsEmpty)
            {
                return Task.CompletedTask;
            }

            if (_writes.Count == 0 && bytes.Length <= Room)
            {
                Add(bytes.Span);
                return Task.CompletedTask;
            }

            return Queue(new PendingWrite { Rest = bytes }, cancellationToken);
        }
    }

    // Writes nothing if there is no memory to write all bytes.
    private Task Queue(PendingWrite write, CancellationToken cancellationToken)
    {
        LinkedListNode<PendingWrite?> place = _writes.AddLast(write);
        try
        {
            write.Cancellation = cancellationToken.UnsafeRegister((_, token) => Cancel(place, token), null);
            AddPending();
        }
        catch (OutOfMemoryException)
        {
            write.Cancellation.Unregister();
            if (place.List is not null)
            {
                _writes.Remove(place);
            }

            throw;
        }

        return write.Task;
    }

    /// <summary>Closes the input: the child sees its end after it has read everything written before.</summary>
    public void Complete()
    {
        using (Uninterruptible.Lock(child.Gate))
        {
            if (!_isClosed)
            {
                _isClosed = true;
                child.ResumeInput();
            }
        }
    }

    /// <summary>Gives up all writes, because nobody waits for them any longer. Thread-safe.</summary>
    public void CutOff()
    {
        using (Uninterruptible.Lock(child.Gate))
        {
            _isClosed = true;
            Abandon();
            child.ResumeInput();
        }
    }

    public override void Advance(int count)
    {
        if (_isAbandoned)
        {
            return;
        }

        _start += count;
        _count -= count;
        if (_count == 0)
        {
            _start = 0;
            _buffer = [];
        }

        AddPending();
    }

    public override void Abandon()
    {
        _isAbandoned = true;
        _count = 0;
        foreach (PendingWrite? write in _writes)
        {
            write?.Complete();
        }

        _writes.Clear();
        Monitor.PulseAll(child);
    }

    // The bytes belong to their owner again as soon as the token's callback returns: bytes not taken by then are
    // dropped. The buffer is full, or a blocked writer is about to fill it, so there is no room for the next write yet.
    private void Cancel(LinkedListNode<PendingWrite?> place, CancellationToken cancellationToken)
    {
        lock (child.Gate)
        {
            if (place.Value!.TrySetCanceled(cancellationToken))
            {
                _writes.Remove(place);
            }
        }
    }

    // Moves on to the next write whenever there may be room or the previous write is over.
    private void AddPending()
    {
        while (_writes.First is { Value: PendingWrite write } && Add(write.Rest.Span) is var count and > 0)
        {
            write.Rest = write.Rest[count..];
            if (write.Rest.IsEmpty)
            {
                _writes.RemoveFirst();
                write.Complete();
            }
        }

        if (IsComplete)
        {
            child.ResumeInput();
        }

        Monitor.PulseAll(child);
    }

    private int Room => _buffer.Length == 0 ? Capacity : _buffer.Length - _start - _count;

    private int Add(ReadOnlySpan<byte> bytes)
    {
        if (_buffer.Length == 0 && !bytes.IsEmpty)
        {
            _buffer = Buffers.Allocate<byte>(Math.Clamp(bytes.Length, Smallest, Capacity));
        }

        int count = Math.Min(bytes.Length, _buffer.Length - _start - _count);
        bytes[..count].CopyTo(_buffer.AsSpan(_start + _count));
        _count += count;
        if (count > 0)
        {
            child.ResumeInput();
        }

        return count;
    }

    private void ThrowIfClosed()
    {
        if (_isClosed)
        {
            throw new ObjectDisposedException(
                nameof(ChildProcess.StandardInput), "The standard input has been closed.");
        }
    }

    // Continuations never run on the thread that completes the task.
    private sealed class PendingWrite() : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public ReadOnlyMemory<byte> Rest { get; set; }

        public CancellationTokenRegistration Cancellation { get; set; }

        // Unregisters without waiting for the callback, which may itself be waiting for the gate.
        public void Complete()
        {
            Cancellation.Unregister();
            TrySetResult();
        }
    }
}
