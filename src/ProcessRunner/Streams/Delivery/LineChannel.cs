using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Represents the live lines of one child, from both of its streams: a bounded channel whose writers are delivery
/// threads. A writer blocks while the channel is full and the child runs. Thread-safe.
/// </summary>
/// <remarks>
/// Once the child has ended, the rest of its output is in memory already, so no writer has to wait for a reader that
/// may never come: output that finds no room is kept as bytes, and the reader of the last preceding line splits it into
/// lines. The bounded channel of the framework is unsuitable: it either wakes its writer and a blocked reader through
/// the ThreadPool, whose threads may all be blocked, or runs the reader's code on the writer's thread, where that code
/// would wait for its own child forever. Waiting readers form a queue (<see cref="LineWaiter{T}"/>). The thread that
/// brings a line completes the first reader's task itself. <c>_gate</c> guards everything, and blocked writers wait on
/// it.
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

    // Empty whenever there is an answer for the readers.
    private readonly LinkedList<LineWaiter> _waiters = new();
    private long _characters;
    private long _taken;
    private int _writers;
    private bool _childHasEnded;
    private bool _hasEnded;
    private bool _isClosed;
    private Exception? _failure;

    public LineChannel() => EndWaits = new DeliveryJob(OnChildEnded);

    /// <summary>
    /// Gets the job to post once the child has ended and all its output has been read. After it, no writer waits.
    /// </summary>
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

    /// <summary>Gets the number of lines that readers have taken.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Gets whether the child has ended and all its output has been read.</summary>
    public bool ChildHasEnded
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _childHasEnded;
            }
        }
    }

    /// <summary>Adds a stream that will write. Called before the child runs.</summary>
    public void AddWriter()
    {
        _writers++;
    }

    /// <summary>Removes a stream that has ended.</summary>
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
    /// Keeps the rest of a stream after the child's end until a reader gets that far. Empty <paramref name="bytes"/>
    /// stand for the end of the stream's last line.
    /// </summary>
    /// <returns>False if there is room for lines: the writer continues as usual.</returns>
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

    /// <summary>Writes a line, and waits while the channel is full. Does nothing once the channel is closed.</summary>
    public void Write(OutputLine line)
    {
        using (Uninterruptible.Lock(_gate))
        {
            FaultPoint.AllocateManaged();
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
    /// Closes the channel because the readers have left, or have taken nothing for so long that nothing waits for them.
    /// The existing lines can still be read, and no further lines come.
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
            // Before the last line is taken: if there is no memory for this, the line is still there.
            while (_lines.Count == 1 && _rests.TryPeek(out Rest? rest))
            {
                Split(rest);
            }

            if (!_lines.TryDequeue(out item))
            {
                return false;
            }

            _characters -= item.Content.Length;
            Volatile.Write(ref _taken, _taken + 1);
            Monitor.PulseAll(_gate);
            CompleteIfDone();
            return true;
        }
    }

    public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default) =>
        AskAsync(
            () => _lines.Count > 0 ? Task.FromResult(true)
                : IsReadable ? Failed<bool>() ?? Task.FromResult(false)
                : null,
            cancellationToken);

    /// <inheritdoc/>
    /// <exception cref="ChannelClosedException">Set on the task: there is no further line.</exception>
    public override ValueTask<OutputLine> ReadAsync(CancellationToken cancellationToken = default) => AskAsync(
        () => TryRead(out OutputLine line) ? Task.FromResult(line)
            : IsReadable ? Failed<OutputLine>() ?? Task.FromException<OutputLine>(new ChannelClosedException())
            : null,
        cancellationToken);

    public override IAsyncEnumerable<OutputLine> ReadAllAsync(CancellationToken cancellationToken = default) =>
        new LineEnumeration(this, cancellationToken);

    /// <summary>
    /// Closes the channel because the output cannot be decoded, or because there is no memory for its lines. The
    /// readers get the exception after the lines that are there.
    /// </summary>
    public void Fail(Exception failure)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _failure ??= failure;
            Close();
        }
    }

    /// <summary>Returns the answer for readers that have got the lines before a failure; null without one.</summary>
    public Task<T>? Failed<T>() => _failure is null ? null : Task.FromException<T>(_failure);

    /// <summary>Gets whether there is a line, or never will be.</summary>
    public bool IsReadable => _lines.Count > 0 || _hasEnded || _isClosed;

    /// <summary>Asks for an answer now, and again after each change until there is one.</summary>
    /// <param name="answer">
    /// A function that returns a task, or null if there is no answer yet. Called with the gate held. The task may have
    /// yet to complete, but then there are no lines any more.
    /// </param>
    /// <param name="cancellationToken">A token that cancels the request.</param>
    /// <param name="canceled">
    /// A callback for the cancellation, called before the task reports it, with no lock held.
    /// </param>
    /// <returns>A task that is completed by the thread that brings the answer.</returns>
    public ValueTask<T> AskAsync<T>(
        Func<Task<T>?> answer, CancellationToken cancellationToken, Action? canceled = null)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            canceled?.Invoke();
            return ValueTask.FromCanceled<T>(cancellationToken);
        }

        LineWaiter<T> waiter;
        lock (_gate)
        {
            Task<T>? known = answer();
            if (known is { IsCompleted: true })
            {
                return new ValueTask<T>(known);
            }

            waiter = new LineWaiter<T>(answer);
            if (known is null)
            {
                _waiters.AddLast(waiter);
            }
            else
            {
                waiter.Follow(known);
            }
        }

        if (cancellationToken.CanBeCanceled)
        {
            GiveUpWhenCanceled(waiter, canceled, cancellationToken);
        }

        return new ValueTask<T>(waiter.Task);
    }

    // Without the gate: a token that is already canceled calls back synchronously.
    private void GiveUpWhenCanceled<T>(LineWaiter<T> waiter, Action? canceled, CancellationToken cancellationToken)
    {
        CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            (_, token) =>
            {
                if (TryRemove(waiter) || waiter.IsFollowing)
                {
                    canceled?.Invoke();
                    waiter.TrySetCanceled(token);
                }
            },
            null);
        lock (_gate)
        {
            waiter.Keep(registration);
        }
    }

    // A line longer than the limit for all lines has the channel to itself.
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

    // An answer can take a line and thereby make room for further lines, which call this method again.
    private void WakeReaders()
    {
        while (IsReadable && _waiters.First is LinkedListNode<LineWaiter> first)
        {
            _waiters.RemoveFirst();
            try
            {
                first.Value.Answer();
            }
            catch (OutOfMemoryException)
            {
                // The next change wakes this reader again.
                _waiters.AddFirst(first);
                throw;
            }
        }
    }

    private void Split(Rest rest)
    {
        try
        {
            rest.Split();
            _rests.Dequeue();
        }
        catch (OutputDecodingException exception)
        {
            Fail(exception);
        }
    }

    private void CompleteIfDone()
    {
        if ((_hasEnded || _isClosed) && _lines.Count == 0 && _failure is not null)
        {
            // The readers get the error as well, so this task need not be observed.
            _completion.TrySetException(_failure);
            _ = _completion.Task.Exception;
        }
        else if ((_hasEnded || _isClosed) && _lines.Count == 0)
        {
            _completion.TrySetResult();
        }
    }

    private sealed class Rest(LineSplitter splitter, byte[] bytes, DateTimeOffset readAt)
    {
        private bool _isFed;

        // Continues where memory was lacking.
        public void Split()
        {
            if (bytes.Length == 0)
            {
                splitter.Flush();
                return;
            }

            ReadOnlySpan<byte> left = _isFed ? [] : bytes;
            _isFed = true;
            splitter.Feed(left, readAt);
        }
    }
}
