using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Faults;

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
/// The readers that wait stand in a queue (<see cref="LineWaiter{T}"/>). The thread that brings a line completes the
/// first one's task itself. <c>_gate</c> guards everything and is what full writers wait on.
/// </remarks>
internal sealed class LineChannel : ChannelReader<OutputLine>
{
    private const int Capacity = 256;
    private const long MostCharacters = 128 * 1024;

    private readonly object _gate = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Queue<OutputLine> _lines = new();

    // Empty whenever there is no line.
    private readonly Queue<Rest> _rests = new();

    // Empty whenever there is something to tell them.
    private readonly LinkedList<LineWaiter> _waiters = new();
    private long _characters;
    private int _writers;
    private bool _childHasEnded;
    private bool _hasEnded;
    private bool _isClosed;

    public LineChannel() => EndWaits = new DeliveryJob(OnChildEnded);

    /// <summary>To be done once the child has ended and all that it wrote has been read: from then on no writer waits.</summary>
    public DeliveryJob EndWaits { get; }

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
        using (Uninterruptible.Lock(_gate))
        {
            if (--_writers == 0)
            {
                _hasEnded = true;
                WakeReaders();
                CompleteIfDone();
            }
        }
    }

    /// <summary>
    /// After the child's end: keeps what a stream still has, the end of its last line if <paramref name="bytes"/> is
    /// empty, until a reader has come so far.
    /// </summary>
    /// <returns>False if there is room for lines: the writer is to go on as ever.</returns>
    public bool TryKeep(LineSplitter splitter, ReadOnlySpan<byte> bytes, DateTimeOffset readAt)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_isClosed || !_childHasEnded || (_rests.Count == 0 && !IsFullFor(0)))
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
        using (Uninterruptible.Lock(_gate))
        {
            FaultPoint.Allocate("managed memory");
            while (IsFullFor(line.Content.Length) && !_childHasEnded && !_isClosed)
            {
                Uninterruptible.Do(_gate, static gate => Monitor.Wait(gate));
            }

            if (!_isClosed)
            {
                _lines.Enqueue(line);
                _characters += line.Content.Length;
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
        using (Uninterruptible.Lock(_gate))
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

            _characters -= item.Content.Length;
            while (_lines.Count == 0 && _rests.TryDequeue(out Rest rest))
            {
                rest.Split();
            }

            Monitor.PulseAll(_gate);
            CompleteIfDone();
            return true;
        }
    }

    public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default) =>
        AskAsync(() => IsReadable ? Task.FromResult(_lines.Count > 0) : null, cancellationToken);

    /// <inheritdoc/>
    /// <exception cref="ChannelClosedException">By the task: there is no further line.</exception>
    public override ValueTask<OutputLine> ReadAsync(CancellationToken cancellationToken = default) => AskAsync(
        () => TryRead(out OutputLine line) ? Task.FromResult(line)
            : IsReadable ? Task.FromException<OutputLine>(new ChannelClosedException())
            : null,
        cancellationToken);

    public override IAsyncEnumerable<OutputLine> ReadAllAsync(CancellationToken cancellationToken = default) =>
        new LineEnumeration(this, cancellationToken);

    /// <summary>Whether there is a line, or never will be.</summary>
    public bool IsReadable => _lines.Count > 0 || _hasEnded || _isClosed;

    /// <summary>Asks for something now, and whenever there is something new, until it is there.</summary>
    /// <param name="answer">Gives a completed task, or null if there is nothing yet. Called with the gate held.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <param name="cancelled">Called if it was given up, before the task tells of it; with no lock held.</param>
    /// <returns>A task that the thread completes which brings the answer.</returns>
    public ValueTask<T> AskAsync<T>(
        Func<Task<T>?> answer, CancellationToken cancellationToken, Action? cancelled = null)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            cancelled?.Invoke();
            return ValueTask.FromCanceled<T>(cancellationToken);
        }

        LineWaiter<T> waiter;
        lock (_gate)
        {
            if (answer() is Task<T> known)
            {
                return new ValueTask<T>(known);
            }

            waiter = new LineWaiter<T>(answer);
            _waiters.AddLast(waiter);
        }

        if (cancellationToken.CanBeCanceled)
        {
            GiveUpWhenCancelled(waiter, cancelled, cancellationToken);
        }

        return new ValueTask<T>(waiter.Task);
    }

    // Without the gate: a token that has been cancelled calls back here and now.
    private void GiveUpWhenCancelled<T>(LineWaiter<T> waiter, Action? cancelled, CancellationToken cancellationToken)
    {
        CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            (_, token) =>
            {
                if (TryRemove(waiter))
                {
                    cancelled?.Invoke();
                    waiter.SetCanceled(token);
                }
            },
            null);
        lock (_gate)
        {
            waiter.Keep(registration);
        }
    }

    // A line that is longer than all together may be has the channel to itself.
    private bool IsFullFor(int characters) =>
        _lines.Count >= Capacity || (_lines.Count > 0 && _characters + characters > MostCharacters);

    private bool TryRemove(LineWaiter waiter)
    {
        lock (_gate)
        {
            return _waiters.Remove(waiter);
        }
    }

    private void OnChildEnded()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _childHasEnded = true;
            Monitor.PulseAll(_gate);
        }
    }

    // An answer can be a line that makes room for further ones, which come here again.
    private void WakeReaders()
    {
        while (IsReadable && _waiters.First is { Value: LineWaiter waiter })
        {
            _waiters.RemoveFirst();
            waiter.Answer();
        }
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
