using System;
using System.Collections.Generic;
using System.Threading;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// The results of a batch as they come, for <c>await foreach</c>. The batch begins with the enumeration, of which there is
/// one. While the loop is slow at most as many results wait as there are slots, or 64, then nothing more is
/// started. Leaving the loop early stops what runs, and waits until it is gone and the code of the input has ended, its
/// <c>finally</c> blocks included. An input that does not come back with its next command within a second is not waited for: its
/// code ends later. The tasks of the steps need no ThreadPool
/// thread to complete, so that it is safe to block on them.
/// </summary>
public sealed class AsyncBatchResults : BatchRun, IAsyncEnumerable<BatchResult>
{
    internal AsyncBatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <summary>Enumerates the results. The batch begins with the first step, whose task may tell of:</summary>
    /// <param name="cancellationToken">Stops what runs; the results that are known come first, then the exception.</param>
    /// <exception cref="InvalidOperationException">It was begun before.</exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be made.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public IAsyncEnumerator<BatchResult> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new BatchEnumerator(Execution, cancellationToken);
}
