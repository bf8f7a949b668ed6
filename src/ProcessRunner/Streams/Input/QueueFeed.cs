using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Faults;

namespace ProcessRunner.Streams.Input;

/// <summary>
/// Input that is written while the child runs, by any thread, through a bounded buffer: who writes more than the child
/// reads waits.
/// </summary>
/// <remarks>
/// All fields are guarded by the child's gate, which is also what a blocked writer waits on. Writes that do not fit at
/// once stand in a queue, in the order of their calls, and the first of it alone fills the buffer: a blocked writer does
/// so itself, for an asynchronous write the reactor does.
/// </remarks>
internal class QueueFeed(BackendChild child) : StreamFeed
{
    private const int Smallest = 4 * 1024;
    private const int Capacity = 64 * 1024;

    // Null stands for a blocked writer.
    private readonly LinkedList<PendingWrite?> _writes = new();
    private byte[] _buffer = [];
    private int _start;
    private int _count;
    private bool _isClosed;
    private bool _isAbandoned;

    public override ReadOnlyMemory<byte> Pending => _buffer.AsMemory(_start, _count);

    public override bool IsComplete => _isClosed && _writes.Count == 0;

    /// <summary>Whether nothing more can be written. Any thread.</summary>
    public bool IsClosed
    {
        get
        {
            lock (child)
            {
                return _isClosed;
            }
        }
    }

    /// <summary>Whether the child reads no more. Any thread.</summary>
    public bool IsAbandoned
    {
        get
        {
            using (Uninterruptible.Lock(child))
            {
                return _isAbandoned;
            }
        }
    }

    /// <summary>Writes everything behind what was written before, waiting for the child to read.</summary>
    /// <returns>False if the child reads no more.</returns>
    /// <exception cref="ObjectDisposedException">The input has been closed.</exception>
    public bool Write(ReadOnlySpan<byte> bytes)
    {
        lock (child)
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
                // An abandoned feed has no queue any more.
                if (turn.List is not null)
                {
                    _writes.Remove(turn);
                    AddPending();
                }
            }

            return !_isAbandoned;
        }
    }

    /// <summary>Writes everything behind what was written before, without a thread that waits.</summary>
    /// <returns>Complete once everything has been taken or the child reads no more.</returns>
    /// <exception cref="ObjectDisposedException">The input has been closed.</exception>
    public Task WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        lock (child)
        {
            ThrowIfClosed();
            FaultPoint.Allocate("managed memory");
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

    // Nothing is written if there is no memory to write all.
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

    /// <summary>The child is to see the end of its input once it has read what was written.</summary>
    public void Complete()
    {
        using (Uninterruptible.Lock(child))
        {
            if (!_isClosed)
            {
                _isClosed = true;
                child.ResumeInput();
            }
        }
    }

    public override void Advance(int count)
    {
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

    // The bytes belong to their owner again as soon as the token's callback returns: what has not been taken is let go.
    private void Cancel(LinkedListNode<PendingWrite?> place, CancellationToken cancellationToken)
    {
        lock (child)
        {
            if (place.Value!.TrySetCanceled(cancellationToken))
            {
                _writes.Remove(place);
                AddPending();
            }
        }
    }

    // Moves on to the next write whenever there may be room or the one before is over.
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
            throw new ObjectDisposedException(nameof(ChildProcess.StandardInput), "The standard input has been closed.");
        }
    }

    // Its continuations never run on the thread that completes it.
    private sealed class PendingWrite() : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public ReadOnlyMemory<byte> Rest { get; set; }

        public CancellationTokenRegistration Cancellation { get; set; }

        // Unregistered without a wait: the callback may be waiting for the gate.
        public void Complete()
        {
            Cancellation.Unregister();
            TrySetResult();
        }
    }
}
