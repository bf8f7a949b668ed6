using System;
using System.Collections;
using System.Collections.Generic;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// The results of a batch as they come, for <c>foreach</c>. The batch begins with the enumeration, of which there is one.
/// While the loop is slow at most as many results wait as there are slots, then nothing more is started. Who leaves the
/// loop early stops what runs, and waits until it is gone.
/// </summary>
public sealed class BatchResults : BatchRun, IEnumerable<BatchResult>
{
    internal BatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <summary>Begins the batch.</summary>
    /// <exception cref="InvalidOperationException">It was begun before.</exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be made.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public IEnumerator<BatchResult> GetEnumerator()
    {
        Execution.Begin();
        return new Enumerator(Execution);
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    // Not an iterator of the compiler's: one that is disposed before its first move does not run its finally.
    private sealed class Enumerator(BatchExecution execution) : IEnumerator<BatchResult>
    {
        private bool _isOver;

        public BatchResult Current { get; private set; } = null!;

        object IEnumerator.Current => Current;

        public bool MoveNext()
        {
            if (_isOver)
            {
                return false;
            }

            if (execution.Results.Read() is BatchResult result)
            {
                Current = result;
                return true;
            }

            Dispose();
            execution.ThrowIfFailed();
            return false;
        }

        public void Reset() => throw new NotSupportedException();

        public void Dispose()
        {
            if (!_isOver)
            {
                _isOver = true;
                execution.Dispose();
            }
        }
    }
}
