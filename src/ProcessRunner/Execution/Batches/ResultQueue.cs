using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Holds the results that wait for the enumerating thread. The queue itself has no bound: the batch starts nothing
/// while the queue holds enough results. Any thread can write; one thread reads.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything and is the innermost lock. The reader's callback is called without it. A channel of
/// the framework is unsuitable, because it wakes a blocked reader through the ThreadPool.
/// </remarks>
/// <param name="taken">The callback after the reader has taken a result. Called on the reader's thread.</param>
internal sealed class ResultQueue(Action taken)
{
    private readonly object _gate = new();
    private readonly Queue<BatchResult> _results = new();
    private Action? _whenReadable;
    private Action? _whenComplete;
    private bool _isBlocked;
    private bool _isComplete;

    /// <summary>Gets the number of waiting results.</summary>
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

    /// <summary>Adds a result. Does not wake the reader.</summary>
    /// <returns>Whether the reader sleeps, so that <see cref="Wake"/> is to be called.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the result. Nothing has changed.</exception>
    public bool Write(BatchResult result)
    {
        FaultPoint.AllocateManaged();
        using (Uninterruptible.Lock(_gate))
        {
            _results.Enqueue(result);
            return _isBlocked || _whenReadable is not null;
        }
    }

    /// <summary>Wakes the reader. Must be called with no lock held.</summary>
    public void Wake() => WakeReader(isComplete: false);

    /// <summary>Completes the queue: no further result comes. Must be called with no lock held.</summary>
    public void Complete() => WakeReader(isComplete: true);

    /// <summary>Takes the next result, and blocks until there is one.</summary>
    /// <returns>The result, or null at the end.</returns>
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

    /// <summary>Returns the waiting results, and takes none of them.</summary>
    public BatchResult[] ToArray()
    {
        lock (_gate)
        {
            return [.. _results];
        }
    }

    /// <summary>Takes the next result if there is one.</summary>
    /// <param name="result">The result, or null at the end.</param>
    /// <returns>False if there is no result yet.</returns>
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
    /// Calls back as soon as there is something to read: synchronously, or on the thread that brings it, with no lock
    /// held.
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

    /// <summary>
    /// Calls back once the queue is complete: synchronously, or on the thread that completes it, with no lock held. The
    /// callback is repeated if it has thrown an <see cref="OutOfMemoryException"/>.
    /// </summary>
    public void WhenComplete(Action complete)
    {
        lock (_gate)
        {
            if (!_isComplete)
            {
                _whenComplete = complete;
                return;
            }
        }

        complete();
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
        Action? complete;
        using (Uninterruptible.Lock(_gate))
        {
            _isComplete |= isComplete;
            if (_isBlocked)
            {
                Monitor.Pulse(_gate);
            }

            readable = _whenReadable;
            _whenReadable = null;
            complete = _isComplete ? _whenComplete : null;
        }

        readable?.Invoke();
        complete?.Invoke();
    }
}
