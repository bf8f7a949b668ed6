using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// The results of a batch as they come, for <c>await foreach</c>. The batch begins with the enumeration, of which there is
/// one. While the loop is slow at most as many results wait as there are slots, then nothing more is started. Who leaves the
/// loop early stops what runs, and waits until it is gone.
/// </summary>
public sealed class AsyncBatchResults : BatchRun, IAsyncEnumerable<BatchResult>
{
    internal AsyncBatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <summary>Begins the batch.</summary>
    /// <param name="cancellationToken">Stops what runs; the results that are known come first, then the exception.</param>
    /// <exception cref="InvalidOperationException">It was begun before.</exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be made.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public IAsyncEnumerator<BatchResult> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        Execution.Begin(cancellationToken);
        return new Enumerator(Execution);
    }

    // Not an iterator of the compiler's: one that is disposed before its first move does not run its finally.
    private sealed class Enumerator(BatchExecution execution) : IAsyncEnumerator<BatchResult>
    {
        private bool _isOver;

        public BatchResult Current { get; private set; } = null!;

        public async ValueTask<bool> MoveNextAsync()
        {
            if (_isOver)
            {
                return false;
            }

            if (await execution.Results.ReadAsync().ConfigureAwait(false) is BatchResult result)
            {
                Current = result;
                return true;
            }

            await DisposeAsync().ConfigureAwait(false);
            execution.ThrowIfFailed();
            return false;
        }

        public ValueTask DisposeAsync()
        {
            if (_isOver)
            {
                return default;
            }

            _isOver = true;
            return execution.DisposeAsync();
        }
    }
}
