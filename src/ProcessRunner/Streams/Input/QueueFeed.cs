using System;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Input;

/// <summary>
/// Input that is written while the child runs, by any thread, through a bounded buffer: who writes more than the child
/// reads waits. All fields are guarded by the child's gate, which is also what a writer waits on.
/// </summary>
internal class QueueFeed(BackendChild child) : StreamFeed
{
    private const int Capacity = 64 * 1024;

    private byte[] _buffer = [];
    private int _start;
    private int _count;
    private bool _isComplete;
    private bool _isAbandoned;

    public override ReadOnlyMemory<byte> Pending => _buffer.AsMemory(_start, _count);

    public override bool IsComplete => _isComplete;

    /// <summary>Writes everything, waiting for the child to read.</summary>
    /// <returns>False if the child reads no more.</returns>
    /// <exception cref="InvalidOperationException">The input has been closed.</exception>
    public bool Write(ReadOnlySpan<byte> bytes)
    {
        lock (child)
        {
            while (!bytes.IsEmpty)
            {
                if (_isComplete)
                {
                    throw new InvalidOperationException("The standard input has been closed.");
                }

                if (_isAbandoned)
                {
                    return false;
                }

                int count = Add(bytes);
                bytes = bytes[count..];
                if (count > 0)
                {
                    child.ResumeInput();
                }
                else
                {
                    Monitor.Wait(child);
                }
            }

            return !_isAbandoned;
        }
    }

    /// <summary>The child is to see the end of its input once it has read what was written.</summary>
    public void Complete()
    {
        lock (child)
        {
            if (!_isComplete)
            {
                _isComplete = true;
                child.ResumeInput();
                Monitor.PulseAll(child);
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

        Monitor.PulseAll(child);
    }

    public override void Abandon()
    {
        _isAbandoned = true;
        _count = 0;
        Monitor.PulseAll(child);
    }

    private int Add(ReadOnlySpan<byte> bytes)
    {
        if (_buffer.Length == 0)
        {
            _buffer = GC.AllocateUninitializedArray<byte>(Math.Min(Capacity, bytes.Length));
        }

        int count = Math.Min(bytes.Length, _buffer.Length - _start - _count);
        bytes[..count].CopyTo(_buffer.AsSpan(_start + _count));
        _count += count;
        return count;
    }
}
