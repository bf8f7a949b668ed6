using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Provides the results of a batch of <see cref="BatchItem{T}"/>, as <see cref="AsyncBatchResults"/> does.
/// </summary>
/// <typeparam name="T">The type of the tag.</typeparam>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class AsyncBatchResults<T> : BatchRun, IAsyncEnumerable<BatchResult<T>>
{
    internal AsyncBatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <inheritdoc cref="AsyncBatchResults.GetAsyncEnumerator"/>
    public IAsyncEnumerator<BatchResult<T>> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new BatchEnumerator<BatchResult<T>>(
            this, static result => new BatchResult<T>(result), cancellationToken);
}
