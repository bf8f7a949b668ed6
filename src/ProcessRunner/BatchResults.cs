using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// The results of a batch as they come, for <c>foreach</c>. The batch begins with the enumeration, of which there is one.
/// While the loop is slow at most as many results wait as there are slots, or 64, then nothing more is started. Leaving
/// the loop early stops what runs, and waits until it is gone and the code of the input has ended, its <c>finally</c> blocks
/// included. An input that does not come back with its next command within a second is not waited for: its code ends later.
/// </summary>
public sealed class BatchResults : BatchRun, IEnumerable<BatchResult>
{
    internal BatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <summary>Enumerates the results. The batch begins with the first step, which may throw:</summary>
    /// <exception cref="InvalidOperationException">It was begun before.</exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be made.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public IEnumerator<BatchResult> GetEnumerator()
    {
        Execution.Begin(isBlocking: true);
        try
        {
            while (Execution.Results.Read() is BatchResult result)
            {
                yield return result;
            }
        }
        finally
        {
            Execution.Dispose();
        }

        if (Execution.Failure is Exception failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
