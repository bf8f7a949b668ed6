using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Enumerates the results of a batch for <c>await foreach</c>. Not a compiler-generated iterator, because its steps
/// need a ThreadPool thread between the result and their task: the thread that brings the result completes the task.
/// </summary>
/// <remarks>For a single reader. While the reader waits, the thread that brings the result acts in its place.</remarks>
/// <typeparam name="TResult">The type of the results that the reader gets.</typeparam>
/// <param name="batch">The batch, which the enumerator keeps alive.</param>
/// <param name="convert">Makes a result of the reader's type. Runs on the thread that brings the result.</param>
/// <param name="token">A token that stops the batch.</param>
internal sealed class BatchEnumerator<TResult>(
    BatchRun batch, Func<BatchResult, TResult> convert, CancellationToken token) : IAsyncEnumerator<TResult>
{
    private TaskCompletionSource<bool>? _step;
    private bool _hasBegun;
    private bool _isOver;

    public TResult Current { get; private set; } = default!;

    /// <summary>Begins the batch at the first step. The task reports every failure.</summary>
    public ValueTask<bool> MoveNextAsync()
    {
        if (_isOver)
        {
            return ValueTask.FromResult(false);
        }

        try
        {
            if (!_hasBegun)
            {
                _hasBegun = true;
                batch.Execution.Begin(isBlocking: false, token);
            }
        }
        catch (Exception exception)
        {
            _isOver = true;
            return ValueTask.FromException<bool>(exception);
        }

        if (batch.Execution.Results.TryRead(out BatchResult? result))
        {
            return new ValueTask<bool>(Take(result));
        }

        TaskCompletionSource<bool> step = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _step = step;
        batch.Execution.Results.WhenReadable(OnReadable);
        return new ValueTask<bool>(step.Task);
    }

    public ValueTask DisposeAsync()
    {
        bool isLeft = _hasBegun && !_isOver;
        _isOver = true;
        return isLeft ? batch.Execution.DisposeAsync() : ValueTask.CompletedTask;
    }

    private void OnReadable()
    {
        if (batch.Execution.Results.TryRead(out BatchResult? result))
        {
            _step!.SetFromTask(Take(result));
        }
        else
        {
            batch.Execution.Results.WhenReadable(OnReadable);
        }
    }

    private Task<bool> Take(BatchResult? result)
    {
        if (result is not null)
        {
            Current = convert(result);
            return Task.FromResult(true);
        }

        _isOver = true;
        return batch.Execution.Failure is Exception failure ? FailedTask.Of<bool>(failure) : Task.FromResult(false);
    }
}
