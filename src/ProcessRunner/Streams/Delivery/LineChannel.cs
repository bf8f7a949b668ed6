using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// The live lines of one child, from both of its streams: a bounded channel whose writers are delivery threads, which
/// block while it is full. Safe from any thread.
/// </summary>
/// <remarks>
/// Not a bounded channel of the framework: that one either wakes its writer and a blocked reader through the ThreadPool,
/// which may be parked, or runs the reader's code on the writer's thread, where it would wait for its own child for ever.
/// <c>_gate</c> guards everything and is what full writers wait on. All waiting readers share one task, which a blocked
/// thread is woken by directly, and only the code behind an await through the reader's own scheduler.
/// </remarks>
internal sealed class LineChannel : ChannelReader<OutputLine>
{
    private const int Capacity = 256;

    private readonly object _gate = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Queue<OutputLine> _lines = new();
    private TaskCompletionSource<bool>? _readable;
    private int _writers;
    private bool _isClosed;

    /// <summary>True once a stream has been bound to it.</summary>
    public bool IsUsed { get; private set; }

    public override Task Completion => _completion.Task;

    public override bool CanCount => true;

    public override int Count
    {
        get
        {
            lock (_gate)
            {
                return _lines.Count;
            }
        }
    }

    /// <summary>A further stream will write; before the child runs.</summary>
    public void AddWriter()
    {
        IsUsed = true;
        _writers++;
    }

    /// <summary>A stream has come to its end.</summary>
    public void RemoveWriter()
    {
        if (Interlocked.Decrement(ref _writers) == 0)
        {
            Close();
        }
    }

    /// <summary>Writes a line; waits while the channel is full. Does nothing once it is closed.</summary>
    public void Write(OutputLine line)
    {
        lock (_gate)
        {
            while (_lines.Count >= Capacity && !_isClosed)
            {
                Monitor.Wait(_gate);
            }

            if (!_isClosed)
            {
                _lines.Enqueue(line);
                WakeReaders();
            }
        }
    }

    /// <summary>Nobody reads any more, or nobody waits for those who read. What is there can still be read.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.PulseAll(_gate);
            WakeReaders();
            CompleteIfDone();
        }
    }

    public override bool TryRead([MaybeNullWhen(false)] out OutputLine item)
    {
        lock (_gate)
        {
            if (!_lines.TryDequeue(out item))
            {
                return false;
            }

            Monitor.PulseAll(_gate);
            CompleteIfDone();
            return true;
        }
    }

    public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            if (cancellationToken.IsCancellationRequested)
            {
                return ValueTask.FromCanceled<bool>(cancellationToken);
            }

            if (_lines.Count > 0 || _isClosed)
            {
                return ValueTask.FromResult(_lines.Count > 0);
            }

            _readable ??= new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            return new ValueTask<bool>(_readable.Task.WaitAsync(cancellationToken));
        }
    }

    private void WakeReaders()
    {
        _readable?.SetResult(_lines.Count > 0);
        _readable = null;
    }

    private void CompleteIfDone()
    {
        if (_isClosed && _lines.Count == 0)
        {
            _completion.TrySetResult();
        }
    }
}
