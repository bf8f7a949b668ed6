using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// The live lines of one child, from both of its streams: a bounded channel whose writers are delivery threads, which
/// block while it is full and the child runs. Safe from any thread.
/// </summary>
/// <remarks>
/// Once the child has ended, what is still to come is in memory already, so nobody has to wait for a reader who may
/// never come: what finds no room stays as it is, bytes, and whoever reads the last line before it cuts it into lines.
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

    // Empty whenever there is no line.
    private readonly Queue<Rest> _rests = new();
    private TaskCompletionSource<bool>? _readable;
    private int _writers;
    private bool _childHasEnded;
    private bool _hasEnded;
    private bool _isClosed;

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
        _writers++;
    }

    /// <summary>A stream has come to its end.</summary>
    public void RemoveWriter()
    {
        lock (_gate)
        {
            if (--_writers == 0)
            {
                _hasEnded = true;
                WakeReaders();
                CompleteIfDone();
            }
        }
    }

    /// <summary>The child has ended, and all that it wrote has been read: from now on no writer waits.</summary>
    public void EndWaits()
    {
        lock (_gate)
        {
            _childHasEnded = true;
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>
    /// After the child's end: keeps what a stream still has, the end of its last line if <paramref name="bytes"/> is
    /// empty, until a reader has come so far.
    /// </summary>
    /// <returns>False if there is room for lines: the writer is to go on as ever.</returns>
    public bool TryKeep(LineSplitter splitter, ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        lock (_gate)
        {
            if (_isClosed || !_childHasEnded || (_rests.Count == 0 && _lines.Count < Capacity))
            {
                return false;
            }

            _rests.Enqueue(new Rest(splitter, bytes.ToArray(), readAt));
            return true;
        }
    }

    /// <summary>Writes a line; waits while the channel is full. Does nothing once it is closed.</summary>
    public void Write(OutputLine line)
    {
        lock (_gate)
        {
            while (_lines.Count >= Capacity && !_childHasEnded && !_isClosed)
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

    /// <summary>
    /// The readers have left, or took nothing for so long that nobody waits for them. The lines that are there can still
    /// be read, and no more come.
    /// </summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _rests.Clear();
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

            while (_lines.Count == 0 && _rests.TryDequeue(out Rest rest))
            {
                rest.Split();
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

            if (_lines.Count > 0 || _hasEnded || _isClosed)
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
        if ((_hasEnded || _isClosed) && _lines.Count == 0)
        {
            _completion.TrySetResult();
        }
    }

    private readonly record struct Rest(LineSplitter Splitter, byte[] Bytes, DateTimeOffset ReadAt)
    {
        public void Split()
        {
            if (Bytes.Length > 0)
            {
                Splitter.Feed(Bytes, ReadAt);
            }
            else
            {
                Splitter.Flush();
            }
        }
    }
}
