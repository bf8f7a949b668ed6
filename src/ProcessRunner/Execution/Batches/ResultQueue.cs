using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// The results that wait for the one who enumerates them. Not bounded by itself: the batch starts nothing while it holds
/// enough. Any thread may write; one reads.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything and is the innermost lock; a reader's callback is called without it. A channel of the
/// framework would not do: it wakes a blocked reader by way of the ThreadPool.
/// </remarks>
/// <param name="taken">Called on the reader's thread after it has taken one.</param>
internal sealed class ResultQueue(Action taken)
{
    private readonly object _gate = new();
    private readonly Queue<BatchResult> _results = new();
    private Action? _whenReadable;
    private bool _isBlocked;
    private bool _isComplete;

    /// <summary>How many wait.</summary>
    public int Count
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _results.Count;
            }
        }
    }

    /// <summary>Adds one. The reader is not woken yet.</summary>
    /// <returns>Whether <see cref="Wake"/> is to be called: the reader sleeps.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for it. Nothing has changed.</exception>
    public bool Write(BatchResult result)
    {
        FaultPoint.Allocate("managed memory");
        using (Uninterruptible.Lock(_gate))
        {
            _results.Enqueue(result);
            return _isBlocked || _whenReadable is not null;
        }
    }

    /// <summary>Wakes the reader. Called with no lock held.</summary>
    public void Wake() => WakeReader(isComplete: false);

    /// <summary>Nothing comes any more. Called with no lock held.</summary>
    public void Complete() => WakeReader(isComplete: true);

    /// <summary>Takes the next one, and blocks until it is there.</summary>
    /// <returns>Null at the end.</returns>
    public BatchResult? Read()
    {
        BatchResult? result;
        while (!TryRead(out result))
        {
            if (Thread.CurrentThread.IsThreadPoolThread)
            {
                TaskCompletionSource readable = new(TaskCreationOptions.RunContinuationsAsynchronously);
                WhenReadable(readable.SetResult);
                BlockingWait.For(readable.Task);
            }
            else
            {
                Block();
            }
        }

        return result;
    }

    /// <summary>Takes the next one if it is there.</summary>
    /// <param name="result">What was taken; null at the end.</param>
    /// <returns>False if there is none yet.</returns>
    public bool TryRead(out BatchResult? result)
    {
        lock (_gate)
        {
            if (!_results.TryDequeue(out result) && !_isComplete)
            {
                return false;
            }
        }

        taken();
        return true;
    }

    /// <summary>
    /// Calls back as soon as there is something to take: here and now, or on the thread that brings it, with no lock held.
    /// </summary>
    public void WhenReadable(Action readable)
    {
        lock (_gate)
        {
            if (_results.Count == 0 && !_isComplete)
            {
                _whenReadable = readable;
                return;
            }
        }

        readable();
    }

    private void Block()
    {
        lock (_gate)
        {
            while (_results.Count == 0 && !_isComplete)
            {
                _isBlocked = true;
                Monitor.Wait(_gate);
            }

            _isBlocked = false;
        }
    }

    private void WakeReader(bool isComplete)
    {
        Action? readable;
        using (Uninterruptible.Lock(_gate))
        {
            _isComplete |= isComplete;
            if (_isBlocked)
            {
                Monitor.Pulse(_gate);
            }

            readable = _whenReadable;
            _whenReadable = null;
        }

        readable?.Invoke();
    }
}
