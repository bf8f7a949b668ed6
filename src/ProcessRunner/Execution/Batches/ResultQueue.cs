using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// The results that wait for the one who enumerates them. Not bounded by itself: the batch starts nothing while it holds
/// enough. Any thread may write; one reads.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards everything and is the innermost lock. A channel of the framework would not do: it wakes a blocked
/// reader by way of the ThreadPool.
/// </remarks>
/// <param name="taken">Called on the reader's thread after it has taken one.</param>
internal sealed class ResultQueue(Action taken)
{
    private readonly object _gate = new();
    private readonly Queue<BatchResult> _results = new();
    private TaskCompletionSource? _readable;
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
    public bool Write(BatchResult result)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _results.Enqueue(result);
            return _isBlocked || _readable is not null;
        }
    }

    /// <summary>Wakes the reader.</summary>
    public void Wake()
    {
        using (Uninterruptible.Lock(_gate))
        {
            WakeReader();
        }
    }

    /// <summary>Nothing comes any more.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _isComplete = true;
            WakeReader();
        }
    }

    /// <summary>Takes the next one, and blocks until it is there.</summary>
    /// <returns>Null at the end.</returns>
    public BatchResult? Read()
    {
        BatchResult? result;
        while (!TryRead(out result))
        {
            if (Thread.CurrentThread.IsThreadPoolThread)
            {
                BlockingWait.For(WhenReadable());
            }
            else
            {
                Block();
            }
        }

        taken();
        return result;
    }

    /// <summary>Takes the next one as soon as it is there.</summary>
    /// <returns>Null at the end.</returns>
    public async ValueTask<BatchResult?> ReadAsync()
    {
        BatchResult? result;
        while (!TryRead(out result))
        {
            await WhenReadable().ConfigureAwait(false);
        }

        taken();
        return result;
    }

    // True with null: the end.
    private bool TryRead(out BatchResult? result)
    {
        lock (_gate)
        {
            return _results.TryDequeue(out result) || _isComplete;
        }
    }

    private Task WhenReadable()
    {
        lock (_gate)
        {
            if (_results.Count > 0 || _isComplete)
            {
                return Task.CompletedTask;
            }

            _readable = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _readable.Task;
        }
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

    private void WakeReader()
    {
        if (_isBlocked)
        {
            Monitor.Pulse(_gate);
        }

        _readable?.SetResult();
        _readable = null;
    }
}
